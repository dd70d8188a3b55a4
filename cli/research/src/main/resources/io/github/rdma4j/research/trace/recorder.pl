#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# Runs programs in the guest and records what they ask of the connection manager.
#
#     recorder.pl run DIR HOW SERVER HOW COMMAND...  what the launcher calls on node 1: starts SERVER, a line for sh, on node 2
#                                                    (here if there is no node 2; nothing if empty), and COMMAND here when
#                                                    the server has an id
#     recorder.pl one FILE HOW COMMAND...            runs and records one program
#
# HOW is calls or flight. For calls this program is a debugger as strace is, by ptrace(2), of the program and what it starts:
# strace shows what is written to /dev/infiniband/rdma_cm, but not the kernel's reply, which lies in the memory of the
# program. For flight the program is a JVM that writes its own recording. A line of FILE is one of
#
#     call  ENTRY EXIT PROCESS THREAD DESCRIPTOR RESULT COMMAND REPLY    times in seconds, bytes in hexadecimal or "-"
#     start TIME PROCESS COMMAND...
#     end   TIME PROCESS STATUS
#
# Before and after the program, datagrams with this node's time go over the Ethernet: the capture shows when they passed.
use strict;
use warnings;
use File::Temp qw(tempdir);
use Socket;

my ($SYS_WAIT4, $SYS_PTRACE, $SYS_CLOCK_GETTIME) = (61, 101, 228);
my ($SYSCALL, $SEIZE, $LISTEN, $SYSCALL_INFO) = (24, 0x4206, 0x4208, 0x420e);
my ($EVENT_STOP, $SIGTRAP) = (128, 5);
# Tell of system calls, fork, vfork, clone and exec; kill what is traced if this program ends.
my $OPTIONS = 1 | 2 | 4 | 8 | 16 | 1 << 20;
my ($WRITE, $CREATE_ID, $SET_OPTION) = (1, 0, 14);
my ($WALL, $EINTR) = (0x40000000, 4);
my ($PORT, $BEACONS) = (9, 8);
# Seconds that a server has until it listens, and after which the first news is that it does not.
my ($LIMIT, $FIRST_NEWS) = (120, 5);

# Where the server runs.
my @there = defined $ENV{RDMA4J_NODE} ? ('testbed-node', 2, '--') : ();
my $child;
my %verbs = (run => \&both, one => \&one);
my $verb = $verbs{ shift @ARGV // '' } or die "recorder.pl: run or one\n";
$verb->(@ARGV);

sub now {
    my $time = pack 'q2', 0, 0;
    syscall $SYS_CLOCK_GETTIME, 0, $time;
    return sprintf '%d.%09d', unpack 'q2', $time;
}

# ---- two programs ---------------------------------------------------------------------------------------------------

sub both {
    my ($directory, $server_how, $server, $how, @command) = @_;
    my $pid;
    if (length $server) {
        $pid = fork // die "recorder.pl: fork: $!\n";
        if (!$pid) {
            exec @there, $^X, $0, 'one', "$directory/server", $server_how, 'sh', '-c', "exec $server"
                or die "recorder.pl: cannot start the server: $!\n";
        }
        await_id($pid);
    }
    my $status = system $^X, $0, 'one', "$directory/client", $how, @command;
    if (defined $pid) {
        # A server that ends after its client does so by itself.
        select undef, undef, undef, 0.1 for grep { waitpid($pid, 1) == 0 } 1 .. 20;
        kill 'TERM', $pid if waitpid($pid, 1) == 0;
        waitpid $pid, 0;
    }
    exit($status & 127 ? 128 + ($status & 127) : $status >> 8);
}

# Until the server listens, or has an address for the group that it joins; rdma(8) shows the ids that there are.
sub await_id {
    my ($pid) = @_;
    my ($begin, $news) = (time, $FIRST_NEWS);
    while ((my $waited = time - $begin) < $LIMIT) {
        if (`@there rdma resource show cm_id` =~ /LISTEN|ADDR_RESOLVED/) {
            print STDERR "trace: the server listens; starting the command\n" if $news > $FIRST_NEWS;
            return;
        }
        return if waitpid($pid, 1) != 0;
        if ($waited >= $news) {
            print STDERR "trace: waiting for the server to listen, $waited s\n";
            $news *= 2;
        }
        select undef, undef, undef, 0.1;
    }
    kill 'TERM', $pid;
    die "trace: after $LIMIT s the server does not listen and has joined no group\n";
}

# ---- one program ----------------------------------------------------------------------------------------------------

sub one {
    my ($file, $how, @command) = @_;
    open my $out, '>>', $file or die "recorder.pl: $file: $!\n";
    select((select($out), $| = 1)[0]);
    beacons();
    my $status = $how eq 'calls' ? traced($out, @command) : untraced($out, $file, @command);
    beacons();
    exit($status & 127 ? 128 + ($status & 127) : $status >> 8 & 255);
}

sub beacons {
    my $node = $ENV{RDMA4J_NODE} // return;
    socket my $socket, PF_INET, SOCK_DGRAM, 0 or return;
    setsockopt $socket, SOL_SOCKET, SO_BROADCAST, 1;
    for (1 .. $BEACONS) {
        send $socket, "rdma4j-clock $node " . now(), 0, pack_sockaddr_in($PORT, inet_aton('10.77.0.255'));
        select undef, undef, undef, 0.01;
    }
}

sub forward_signals {
    for my $name (qw(INT HUP TERM)) {
        $SIG{$name} = sub { kill $name, $child };
    }
}

sub untraced {
    my ($out, $file, @command) = @_;
    my ($directory, $name) = $file =~ m{^(.*)/([^/]+)$};
    # A blank would end the option for the JVM, and a comma the name of the file.
    my $link = tempdir(DIR => '/tmp', CLEANUP => 1) . '/recording';
    symlink $directory, $link or die "recorder.pl: $link: $!\n";
    $child = fork // die "recorder.pl: fork: $!\n";
    if (!$child) {
        my $flags = "-XX:StartFlightRecording=settings=$link/rdma4j.jfc,filename=$link/$name-$$.jfr -Xlog:jfr+startup=off";
        $ENV{JDK_JAVA_OPTIONS} = join ' ', grep { defined } $ENV{JDK_JAVA_OPTIONS}, $flags;
        exec @command or die "recorder.pl: $command[0]: $!\n";
    }
    print $out "start ", now(), " $child @command\n";
    forward_signals();
    1 while waitpid($child, 0) != $child;
    print $out "end ", now(), " $child $?\n";
    return $?;
}

sub ptrace {
    my ($request, $pid, $address, $data) = @_;
    return syscall $SYS_PTRACE, $request, $pid, $address, $data;
}

sub traced {
    my ($out, @command) = @_;
    pipe my $wait, my $go or die "recorder.pl: pipe: $!\n";
    $child = fork // die "recorder.pl: fork: $!\n";
    if (!$child) {
        close $go;
        sysread $wait, my $byte, 1;
        exec @command or die "recorder.pl: $command[0]: $!\n";
    }
    close $wait;
    ptrace($SEIZE, $child, 0, $OPTIONS) == 0 or die "recorder.pl: ptrace: $!\n";
    close $go;
    forward_signals();
    return watch($out);
}

# Until the program that was started ends: what it started ends with it.
sub watch {
    my ($out) = @_;
    my %entries;
    while (1) {
        # Perl's own variables keep 16 bits of the status, and the event is above them.
        my $word = pack 'l', 0;
        my $thread = syscall $SYS_WAIT4, -1, $word, $WALL, 0;
        next if $thread == -1 && $! == $EINTR;
        return 0 if $thread == -1;
        my $status = unpack 'l', $word;
        if (($status & 0xff) != 0x7f) {
            print $out "end ", now(), " $thread $status\n";
            return $status if $thread == $child;
            next;
        }
        my ($signal, $event) = ($status >> 8 & 0xff, $status >> 16);
        if ($signal == ($SIGTRAP | 0x80)) {
            at_call($out, $thread, \%entries);
            ptrace($SYSCALL, $thread, 0, 0);
        } elsif ($event == $EVENT_STOP && $signal != $SIGTRAP) {
            ptrace($LISTEN, $thread, 0, 0);
        } elsif ($event) {
            started($out, $thread) if $event == 4;
            ptrace($SYSCALL, $thread, 0, 0);
        } else {
            ptrace($SYSCALL, $thread, 0, $signal);
        }
    }
}

sub started {
    my ($out, $process) = @_;
    my $line = slurp("/proc/$process/cmdline");
    $line =~ s/\0$//;
    $line =~ tr/\0\n/  /;
    print $out "start ", now(), " $process $line\n";
}

sub at_call {
    my ($out, $thread, $entries) = @_;
    my $info = "\0" x 88;
    # Not by ptrace() above, which would hand a copy over.
    syscall($SYS_PTRACE, $SYSCALL_INFO, $thread, length $info, $info) > 0 or return;
    my $where = unpack 'C', $info;
    if ($where == 1) {
        my ($number, $descriptor, $address, $length) = unpack 'x24 Q4', $info;
        delete $entries->{$thread};
        return if $number != $WRITE || $length < 8;
        return if (readlink("/proc/$thread/fd/$descriptor") // '') !~ m{/infiniband/rdma_cm$};
        $entries->{$thread} = entry($thread, $descriptor, $address, $length);
    } elsif ($where == 2 && $entries->{$thread}) {
        my $entry = delete $entries->{$thread};
        my $result = unpack 'x24 q', $info;
        my $reply = $result >= 0 && $entry->{room} ? memory($thread, $entry->{reply}, $entry->{room}) : $entry->{value};
        my $process = slurp("/proc/$thread/status") =~ /^Tgid:\s+(\d+)/m ? $1 : $thread;
        print $out join(' ', 'call', $entry->{time}, now(), $process, $thread, $entry->{descriptor}, $result,
            unpack('H*', $entry->{bytes}), length $reply ? unpack('H*', $reply) : '-'), "\n";
    }
}

sub entry {
    my ($thread, $descriptor, $address, $length) = @_;
    my $bytes = memory($thread, $address, $length);
    my ($command, $in, $room) = unpack 'L S S', $bytes;
    my ($at, $value) = ($command == $CREATE_ID ? 16 : 8, '');
    my $reply = length $bytes >= $at + 8 ? unpack("x$at Q", $bytes) : 0;
    if ($command == $SET_OPTION && length $bytes >= 32) {
        my $length = unpack 'x28 L', $bytes;
        $value = memory($thread, $reply, $length) if $length <= 4096;
    }
    return {
        time => now(), descriptor => $descriptor, bytes => $bytes, room => $room, reply => $reply, value => $value,
    };
}

sub memory {
    my ($thread, $address, $length) = @_;
    open my $memory, '<:raw', "/proc/$thread/mem" or return '';
    sysseek $memory, $address, 0 or return '';
    my $bytes = '';
    sysread $memory, $bytes, $length;
    return $bytes;
}

sub slurp {
    my ($file) = @_;
    open my $in, '<', $file or return '';
    local $/ = undef;
    return scalar(<$in>) // '';
}
