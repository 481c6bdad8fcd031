"""The headers of compilers and systems. `<string.h>` is one of these even where the repository has a file of that
name.
"""

from __future__ import annotations

from typing import Final

# Source: C23 (7.1.2), C++23 ([headers]), POSIX.1-2024 (Headers); those of POSIX below a folder (`sys/`, `arpa/`) are
# told by their path.
_NAMES: Final = (
    "assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h math.h setjmp.h signal.h"
    " stdalign.h stdarg.h stdatomic.h stdbit.h stdbool.h stdckdint.h stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h"
    " string.h tgmath.h threads.h time.h uchar.h wchar.h wctype.h aio.h cpio.h devctl.h dirent.h dlfcn.h endian.h"
    " fcntl.h fmtmsg.h fnmatch.h ftw.h glob.h grp.h iconv.h langinfo.h libgen.h libintl.h monetary.h mqueue.h ndbm.h"
    " netdb.h nl_types.h poll.h pthread.h pwd.h regex.h sched.h search.h semaphore.h spawn.h strings.h stropts.h"
    " syslog.h tar.h termios.h trace.h ulimit.h unistd.h utime.h utmpx.h wordexp.h"
    " algorithm any array atomic barrier bit bitset cassert ccomplex cctype cerrno cfenv cfloat charconv chrono"
    " cinttypes ciso646 climits clocale cmath codecvt compare complex concepts condition_variable coroutine csetjmp"
    " csignal cstdalign cstdarg cstdbool cstddef cstdint cstdio cstdlib cstring ctgmath ctime cuchar cwchar cwctype"
    " debugging deque exception execution expected filesystem flat_map flat_set format forward_list fstream functional"
    " future generator hazard_pointer initializer_list inplace_vector iomanip ios iosfwd iostream istream iterator"
    " latch limits linalg list locale map mdspan memory memory_resource mutex new numbers numeric optional ostream"
    " print queue random ranges ratio rcu regex scoped_allocator semaphore set shared_mutex simd source_location span"
    " spanstream sstream stack stacktrace stdexcept stdfloat stop_token streambuf string string_view strstream"
    " syncstream system_error text_encoding thread tuple type_traits typeindex typeinfo unordered_map unordered_set"
    " utility valarray variant vector version"
)  # fmt: skip
SYSTEM_HEADERS: Final = frozenset(_NAMES.split())
