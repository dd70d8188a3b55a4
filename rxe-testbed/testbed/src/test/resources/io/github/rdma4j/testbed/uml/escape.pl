# SPDX-License-Identifier: Apache-2.0
#
#     escape.pl SHARE OUTSIDE PROCESS ARGUMENT...
#
# Stands in for a kernel that wants to get out of its confinement: tries to change files of the directory OUTSIDE and to reach
# another process, and prints what succeeded, a line each. The last line is the last argument.
use strict;
use warnings;
use Socket;

my ($share, $outside, $process, @arguments) = @ARGV;
my ($nothing, $unknown) = ('', 'no-such-type');
my $buffer = "\0" x 64;
my @attempts = (
    'write to a share' => sub { spew("$share/new", '>') },
    'change a mode in a share' => sub { chmod 0640, "$share/new" },
    'set-user-id in a share' => sub { chmod 04755, "$share/new" },
    'create with set-user-id' => sub { syscall(85, "$share/set", 04755) >= 0 },
    'device in a share' => sub { syscall(133, "$share/device", 060666, 0xfe00) == 0 },
    'write to a file' => sub { spew("$outside/file", '>>') },
    'truncate a file' => sub { truncate "$outside/file", 0 },
    'make a file' => sub { spew("$outside/made", '>') },
    'remove a file' => sub { unlink "$outside/file" },
    'rename a file' => sub { rename "$outside/file", "$outside/renamed" },
    'move a file in' => sub { rename "$outside/file", "$share/moved" },
    'link a file out' => sub { link "$share/new", "$outside/linked" },
    'change a mode' => sub { chmod 0666, "$outside/file" },
    'change a time' => sub { utime 1, 1, "$outside/file" },
    'write to a named pipe' => sub { sysopen(my $pipe, "$outside/pipe", 02 | 04000) },
    'write through a process' => sub { spew("/proc/$process/root$outside/file", '>>') },
    'open the memory of a process' => sub { open(my $file, '<', "/proc/$process/mem") },
    'read an environment' => sub { slurp("/proc/$process/environ") },
    'trace a process' => sub { syscall(101, 16, $process, 0, 0) == 0 },
    'signal a process' => sub { kill 0, $process },
    'change the host kernel' => sub { spew('/proc/sys/kernel/core_pattern', '>>', '') },
    'make a socket' => sub { socket(my $socket, AF_UNIX, SOCK_STREAM, 0) },
    # Whoever may mount learns that there is no such type.
    'mount' => sub { syscall(165, $nothing, $outside, $unknown, 0, $nothing) < 0 && !$!{EPERM} },
    'mount another way' => sub { syscall(428, -100, $outside, 1) >= 0 },
    'change the root' => sub { chroot '/' },
    'new namespaces' => sub { syscall(272, 0x10020000) == 0 },
    'a process in namespaces' => sub { my $pid = syscall(56, 0x10020000 | 17, 0, 0, 0, 0); syscall(231, 0) if $pid == 0; $pid > 0 },
    'a process by clone3' => sub { syscall(435, $buffer, 0) < 0 && !$!{ENOSYS} },
    'asynchronous calls' => sub { syscall(425, 1, $buffer) >= 0 },
    'shared memory' => sub { syscall(29, 1, 4096, 01600) >= 0 },
);

while (my ($name, $attempt) = splice @attempts, 0, 2) {
    print "$name\n" if eval { $attempt->() };
}
print "$arguments[-1]\n";

sub spew {
    my ($path, $mode, $text) = (@_, 'changed');
    open(my $file, $mode, $path) or return 0;
    return defined syswrite($file, $text);
}

sub slurp {
    my ($path) = @_;
    open(my $file, '<', $path) or return 0;
    return sysread($file, my $text, 1);
}
