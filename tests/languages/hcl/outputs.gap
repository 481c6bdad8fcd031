What a module block gives and takes: its outputs and variables live in another folder.

=== main.tf
module "net" {
  source = "./net"
  zone   = "a" #@ write -> net/main.tf:var.zone
}
output "ip" { value = module.net.address } #@ read -> net/main.tf:output.address
=== net/main.tf
variable "zone" {}
output "address" { value = var.zone }
