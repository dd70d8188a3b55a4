#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
#     launch.pl TURNS [SOCKET MAC]... -- KERNEL ARGUMENT...
#
# Becomes a User Mode Linux kernel. Before that it does what a Java program cannot do for its child: it ties the process to
# one processor, raises and drops limits, and connects each network to a hub of the launcher.
#
# TURNS is a directory with a file for each processor, locked by the guest that runs there; empty for none.
use strict;
use warnings;
use Socket;

# x86-64 system call numbers; the guest is always amd64.
my ($SYS_SETRLIMIT, $SYS_GETRLIMIT, $SYS_PRCTL, $SYS_SETAFFINITY, $SYS_GETAFFINITY) = (160, 97, 157, 203, 204);
my ($RLIMIT_CORE, $RLIMIT_NOFILE, $PR_SET_PDEATHSIG, $SIGKILL) = (4, 7, 1, 9);
my ($LOCK_EX, $LOCK_NB) = (2, 4);
my $LONGEST_FRAME = 1 << 17;
my $MASK_BYTES = 128;

# Every descriptor that is opened here stays open in the kernel.
$^F = 1 << 20;
my $turns = shift @ARGV;
my (@networks, @kept);
while (@ARGV && $ARGV[0] ne '--') {
    push @networks, [splice @ARGV, 0, 2];
}
shift @ARGV;
my $turn = pin($turns);
limits();
umask 0;
my $number = 0;
push @ARGV, map { 'vec' . $number++ . ':transport=fd,fd=' . connect_network($_->[0]) . ",mac=$_->[1],depth=128,gro=0" } @networks;
no warnings 'exec';
exec { $ARGV[0] } @ARGV;
print STDERR "cannot run $ARGV[0]: $!\n";
exit 127;

# A processor that no other guest uses, or any. A guest that moves between processors is two to five times slower: each
# system call in it hands over from one process of the host to another.
sub pin {
    my ($turns) = @_;
    my $mask = "\0" x $MASK_BYTES;
    return if syscall($SYS_GETAFFINITY, 0, $MASK_BYTES, $mask) < 0;
    my @processors = grep { vec($mask, $_, 1) } 0 .. 8 * $MASK_BYTES - 1;
    return if !@processors;
    my $first = $$ % @processors;
    my $chosen = $processors[$first];
    my $lock;
    for my $candidate ($turns eq '' ? () : (@processors[$first .. $#processors], @processors[0 .. $first - 1])) {
        open($lock, '>>', "$turns/processor-$candidate") or last;
        if (flock($lock, $LOCK_EX | $LOCK_NB)) {
            $chosen = $candidate;
            last;
        }
        undef $lock;
    }
    my $one = "\0" x $MASK_BYTES;
    vec($one, $chosen, 1) = 1;
    syscall($SYS_SETAFFINITY, 0, $MASK_BYTES, $one);
    return $lock;
}

# A panic ends with an abort, which would leave a core as large as the guest's memory. The kernel keeps files of the host
# open for as long as the guest knows them.
sub limits {
    my $none = pack 'Q2', 0, 0;
    syscall($SYS_SETRLIMIT, $RLIMIT_CORE, $none);
    my $files = "\0" x 16;
    return if syscall($SYS_GETRLIMIT, $RLIMIT_NOFILE, $files) < 0;
    my ($soft, $hard) = unpack 'Q2', $files;
    my $most = pack 'Q2', $hard, $hard;
    syscall($SYS_SETRLIMIT, $RLIMIT_NOFILE, $most);
}

# The kernel takes a socket that keeps frames apart; the hub takes a stream with the length before each frame. One process
# for each direction carries the frames between them, and waits where the other side is slow: none is lost.
sub connect_network {
    my ($path) = @_;
    socket(my $hub, AF_UNIX, SOCK_STREAM, 0) or die "socket: $!\n";
    connect($hub, pack_sockaddr_un($path)) or die "cannot connect to $path: $!\n";
    socketpair(my $ours, my $kernels, AF_UNIX, SOCK_SEQPACKET, 0) or die "socketpair: $!\n";
    my $parent = $$;
    for my $body (\&to_hub, \&from_hub) {
        my $pid = fork // die "fork: $!\n";
        next if $pid;
        syscall($SYS_PRCTL, $PR_SET_PDEATHSIG, $SIGKILL, 0, 0, 0);
        exit 0 if getppid != $parent;
        close $kernels;
        undef $turn;
        open STDOUT, '>', '/dev/null';
        $body->($ours, $hub);
        exit 0;
    }
    push @kept, $kernels;
    return fileno $kernels;
}

sub to_hub {
    my ($ours, $hub) = @_;
    while (sysread($ours, my $frame, $LONGEST_FRAME)) {
        my $message = pack('N', length $frame) . $frame;
        while (length $message) {
            my $written = syswrite($hub, $message) // return;
            substr($message, 0, $written, '');
        }
    }
}

sub from_hub {
    my ($ours, $hub) = @_;
    my $buffer = '';
    while (sysread($hub, $buffer, $LONGEST_FRAME, length $buffer)) {
        while (length $buffer >= 4) {
            my $length = unpack 'N', $buffer;
            last if length $buffer < 4 + $length;
            syswrite($ours, substr($buffer, 4, $length)) // return;
            substr($buffer, 0, 4 + $length, '');
        }
    }
}
