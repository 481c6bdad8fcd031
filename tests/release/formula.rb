# frozen_string_literal: true

# Runs `install` and `test` of a formula without Homebrew: FORMULA FILES PREFIX PYTHON UV. What the formula would fetch
# is in FILES, by its name; what it calls is done for real.

require "digest"
require "fileutils"
require "pathname"

FILES, PREFIX, PYTHON, UV = ARGV[1, 4].map { |path| Pathname.new(path) }

class Pathname
  def install_symlink(*files)
    mkpath
    files.flatten.each { |file| FileUtils.ln_s(file, self + File.basename(file)) }
  end

  def write(text)
    dirname.mkpath
    File.write(self, text)
  end
end

class Formula
  Resource = Struct.new(:file) do
    def stage(folder)
      folder.mkpath
      FileUtils.cp(file, folder)
    end
  end

  class << self
    attr_reader :stable, :resources

    %i[desc homepage license depends_on preserve_rpath].each { |name| define_method(name) { |*, **| nil } }

    def url(address) = @url = address

    def sha256(digest)
      file = FILES + File.basename(@url)
      raise "#{file} has another SHA-256" if Digest::SHA256.file(file).hexdigest != digest

      @file = file
    end

    def resource(name, &block)
      before = [@url, @file]
      instance_eval(&block)
      (@resources ||= {})[name] = Resource.new(@file)
      @url, @file = before
    end

    def install_from = @file

    def [](_name) = Struct.new(:opt_bin).new(PREFIX + "python")

    def test(&block) = @test = block

    def run_test(formula) = formula.instance_eval(&@test)
  end

  attr_reader :buildpath, :testpath

  def initialize
    @buildpath = PREFIX + "build"
    @testpath = PREFIX + "test"
    [@buildpath, @testpath, PREFIX + "python"].each(&:mkpath)
    FileUtils.ln_s(PYTHON, PREFIX + "python/python3.13")
    Kernel.system("tar", "xzf", self.class.install_from.to_s, "-C", @buildpath.to_s, "--strip-components=1") || raise("tar")
  end

  def version = self.class.install_from.basename.to_s[/\d+\.\d+\.\d+/]
  def libexec = PREFIX + "libexec"
  def bin = PREFIX + "bin"
  def man1 = PREFIX + "share/man/man1"
  def resource(name) = self.class.resources.fetch(name)

  def system(program, *words)
    command = [program == "uv" ? UV : program, *words].map(&:to_s)
    Kernel.system(*command) || raise("#{command.join(" ")} failed")
  end

  def shell_output(line)
    text = `#{line}`
    raise "#{line} failed" unless $?.success?

    text
  end

  def generate_completions_from_executable(program, *words, shells:)
    shells.each { |shell| raise "no completion for #{shell}" if shell_output("#{program} #{words.join(" ")} #{shell}").empty? }
  end

  def assert_match(part, text)
    raise "#{text} has no #{part}" unless text.include?(part)
  end
end

load ARGV[0]
Dir.chdir(PREFIX + "..") do
  formula = Codeagentd.new
  Dir.chdir(formula.buildpath) { formula.install }
  Dir.chdir(formula.testpath) { Codeagentd.run_test(formula) }
end
puts "installed and tested"
