#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# Runs commands on another node of the testbed.
#
#     testbed-node N [--] COMMAND [ARGUMENT]...   runs it on node N with this directory and environment
#     node.pl serve                               on the other nodes: runs such commands until it is ended
#     node.pl serve ADDRESS                       the same on one address, for commands from outside the guest
#     node.pl SOCKET [--] COMMAND [ARGUMENT]...   runs it behind the Unix socket of testbed serve
#
# Streams, status and signals are the same as for a local command: status 128 + N if signal N killed it, 255 if the node
# cannot be reached. A command ends with the connection of its client.
#
# Both directions of a connection carry messages: type (1 byte), length (4 bytes, network order), bytes.
#   to the server
#     c  command: DIRECTORY COUNT ARGUMENT... VARIABLE..., separated by NUL
#     i  input; empty: its end
#     s  signal: NUMBER
#     w  window: a stream (o or e) and how many bytes (4 bytes) more of it the client has room for
#   from the server
#     o, e  output
#     w  window: i and how many bytes (4 bytes) of input more the server has room for
#     k  closed: the input has no reader
#     x  exit: STATUS SIGNAL, the last
# A stream has room for $WINDOW bytes at first. So both sides always read from the connection, and an unread stream holds
# up neither the other streams nor the signals.
use strict;
use warnings;
use Config;
use Socket qw(:DEFAULT IPPROTO_TCP TCP_NODELAY);

my ($PORT, $CHUNK, $WINDOW, $CONNECT_SECONDS) = (7077, 65536, 262144, 30);
# The number of bytes that a writable pipe takes without waiting.
my $PIPE_BUF = 4096;
# The numbers differ between arm64 and x86-64.
my ($SYS_RT_SIGPROCMASK, $SYS_SETSID, $SYS_EXIT_GROUP, $SYS_SIGNALFD4) =
    $Config{archname} =~ /^aarch64/ ? (135, 157, 94, 74) : (14, 112, 231, 289);
my ($SIG_BLOCK, $F_SETFL, $O_NONBLOCK, $FIONREAD) = (0, 4, 2048, 0x541b);
my ($ENOENT, $EINTR, $EAGAIN, $EPIPE) = (2, 4, 11, 32);
# HUP, INT, USR1, TERM, CONT and WINCH.
my @FORWARDED = (1, 2, 10, 15, 18, 28);
$SIG{PIPE} = 'IGNORE';

@ARGV && $ARGV[0] eq 'serve' ? serve($ARGV[1]) : client(@ARGV);

# ---- connections --------------------------------------------------------------------------------------------------

sub connection {
    my ($socket) = @_;
    fcntl($socket, $F_SETFL, $O_NONBLOCK);
    return { socket => $socket, received => '', unsent => '' };
}

# Never waits: the windows bound the unsent bytes.
sub send_message {
    my ($connection, $type, $bytes) = @_;
    $connection->{unsent} .= pack('a1 N', $type, length $bytes) . $bytes;
}

# Reads once and returns the messages that are complete, each as [type, bytes]; undef at the end of the connection.
sub receive {
    my ($connection) = @_;
    my $buffer = \$connection->{received};
    my $got = sysread($connection->{socket}, $$buffer, $CHUNK, length $$buffer);
    return [] if !defined $got && come_again();
    return undef if !$got;
    my @messages;
    while (length $$buffer >= 5) {
        my ($type, $length) = unpack('a1 N', $$buffer);
        last if length $$buffer < 5 + $length;
        push @messages, [$type, substr($$buffer, 5, $length)];
        substr($$buffer, 0, 5 + $length, '');
    }
    return \@messages;
}

sub flush {
    my ($connection) = @_;
    my $written = syswrite($connection->{socket}, $connection->{unsent});
    # The code that reads from the broken connection notices the failure.
    $written = length $connection->{unsent} if !defined $written && !come_again();
    substr($connection->{unsent}, 0, $written // 0, '');
}

# Tells the other side that there is room again, but not for every few bytes.
sub grant {
    my ($connection, $stream, $letter, $written) = @_;
    $stream->{taken} += $written;
    if ($stream->{taken} >= $CHUNK) {
        send_message($connection, 'w', pack('a1 N', $letter, $stream->{taken}));
        $stream->{taken} = 0;
    }
}

sub come_again {
    return $! == $EINTR || $! == $EAGAIN;
}

# Waits until a handle is ready, and then calls the code of each ready handle. Arguments: HANDLE, 1 to wait for writing, and
# CODE, which must work after another CODE has closed the handle.
sub attend_to {
    my @waits = @_;
    my @bits = ('', '');
    vec($bits[$_->[1]], fileno $_->[0], 1) = 1 for @waits;
    return if select($bits[0], $bits[1], undef, undef) < 0;
    $_->[2]->() for grep { vec($bits[$_->[1]], fileno $_->[0], 1) } @waits;
}

# ---- the side that asks -------------------------------------------------------------------------------------------

sub client {
    my ($node, @command) = @_;
    shift @command if @command && $command[0] eq '--';
    if (!defined $node || $node !~ m{^(?:[1-8]|/.*)$}s || !@command) {
        print STDERR "usage: testbed-node NODE [--] COMMAND [ARGUMENT]...\n";
        exit 2;
    }
    if ($node eq ($ENV{RDMA4J_NODE} // 0)) {
        no warnings 'exec';
        exec { $command[0] } @command;
        give_up("cannot run $command[0]: $!", $! == $ENOENT ? 127 : 126);
    }
    give_up('node 1 takes no commands from others', 2) if $node eq '1';
    my $connection = connection(connected($node));
    my @environment = map { "$_=$ENV{$_}" } grep { $_ ne 'RDMA4J_NODE' } keys %ENV;
    send_message($connection, 'c', join("\0", readlink('/proc/self/cwd'), scalar @command, @command, @environment));
    relay_streams($connection, $node =~ m{^/} ? 'the guest' : "node $node");
}

sub connected {
    my ($node) = @_;
    if ($node =~ m{^/}) {
        socket(my $socket, PF_UNIX, SOCK_STREAM, 0) or give_up("socket: $!", 255);
        connect($socket, pack_sockaddr_un($node)) or give_up("no guest answers at $node: $!", 255);
        return $socket;
    }
    my $deadline = time + $CONNECT_SECONDS;
    while (1) {
        socket(my $socket, PF_INET, SOCK_STREAM, 0) or give_up("socket: $!", 255);
        setsockopt($socket, IPPROTO_TCP, TCP_NODELAY, 1);
        return $socket if connect($socket, pack_sockaddr_in($PORT, inet_aton("10.79.0.$node")));
        give_up("node $node cannot be reached: $!", 255) if time >= $deadline;
        select(undef, undef, undef, 0.02);
    }
}

sub relay_streams {
    my ($connection, $peer) = @_;
    my $signals = signals();
    my $input = { window => $WINDOW };
    my %outputs = (o => { handle => \*STDOUT, pending => '' }, e => { handle => \*STDERR, pending => '' });
    my $status;
    while (1) {
        my @pending = grep { $outputs{$_}{pending} ne '' } keys %outputs;
        exit $status if defined $status && !@pending;
        attend_to(
            [$signals, 0, sub { forward_signals($connection, $signals) }],
            map({ my $letter = $_; [$outputs{$letter}{handle}, 1, sub { write_out($connection, $letter, $outputs{$letter}) }] } @pending),
            defined $status ? () : [$connection->{socket}, 0, sub { $status = obey($connection, $peer, $input, \%outputs) }],
            $connection->{unsent} eq '' ? () : [$connection->{socket}, 1, sub { flush($connection) }],
            $input->{ended} || $input->{window} == 0 ? () : [\*STDIN, 0, sub { read_in($connection, $input) }],
        );
    }
}

# As a descriptor: a signal that comes just before select would not end its wait.
sub signals {
    my $mask = 0;
    $mask |= 1 << ($_ - 1) for @FORWARDED;
    my $bits = pack('Q', $mask);
    syscall($SYS_RT_SIGPROCMASK, $SIG_BLOCK, $bits, 0, 8) == 0 or give_up("sigprocmask: $!", 255);
    open(my $signals, '<&=', syscall($SYS_SIGNALFD4, -1, $bits, 8, $O_NONBLOCK)) or give_up("signalfd: $!", 255);
    return $signals;
}

sub forward_signals {
    my ($connection, $signals) = @_;
    # The number is the first field of 128 bytes.
    sysread($signals, my $bytes, $CHUNK) or return;
    send_message($connection, 's', $_) for unpack('(L x124)*', $bytes);
}

sub read_in {
    my ($connection, $input) = @_;
    return if $input->{ended};
    my $got = sysread(STDIN, my $bytes, $input->{window} < $CHUNK ? $input->{window} : $CHUNK);
    return if !defined $got && come_again();
    $input->{ended} = !$got;
    $input->{window} -= $got // 0;
    send_message($connection, 'i', $got ? $bytes : '');
}

# Returns the status if the command has ended.
sub obey {
    my ($connection, $peer, $input, $outputs) = @_;
    my $messages = receive($connection) // give_up("$peer is gone", 255);
    for (@$messages) {
        my ($type, $bytes) = @$_;
        if ($type eq 'x') {
            my ($status, $signal) = split / /, $bytes;
            $input->{ended} = 1;
            return $signal ? 128 + $signal : $status;
        } elsif ($type eq 'w') {
            $input->{window} += unpack('x N', $bytes);
        } elsif ($type eq 'k') {
            # The writer gets a broken pipe, as from the command itself.
            $input->{ended} = 1;
            close STDIN;
        } else {
            $outputs->{$type}{pending} .= $bytes;
        }
    }
    return undef;
}

# Waits only if another process writes there too. The stream may be shared, so it is not made non-blocking.
sub write_out {
    my ($connection, $letter, $output) = @_;
    my $written = syswrite($output->{handle}, $output->{pending}, $PIPE_BUF);
    if (!defined $written) {
        return if come_again();
        # The reader has closed the stream: the end of the connection ends the command on the other node.
        exit 128 + 13 if $! == $EPIPE;
        give_up("cannot write what the command wrote: $!", 255);
    }
    substr($output->{pending}, 0, $written, '');
    grant($connection, $output, $letter, $written);
}

sub give_up {
    my ($reason, $status) = @_;
    print STDERR "testbed-node: $reason\n";
    exit $status;
}

# ---- the side that runs -------------------------------------------------------------------------------------------

sub serve {
    my ($address) = @_;
    socket(my $server, PF_INET, SOCK_STREAM, 0) or die "socket: $!\n";
    setsockopt($server, SOL_SOCKET, SO_REUSEADDR, 1);
    bind($server, pack_sockaddr_in($PORT, inet_aton($address // "10.79.0.$ENV{RDMA4J_NODE}"))) && listen($server, 64)
        or die "cannot listen for commands: $!\n";
    syswrite(STDOUT, "listening\n") if defined $address;
    $SIG{TERM} = sub { exit 0 };
    $SIG{CHLD} = 'IGNORE';
    while (1) {
        accept(my $socket, $server) or next;
        my $pid = fork;
        if (defined $pid && $pid == 0) {
            close $server;
            $SIG{TERM} = $SIG{CHLD} = 'DEFAULT';
            setsockopt($socket, IPPROTO_TCP, TCP_NODELAY, 1);
            attend(connection($socket));
            leave(0);
        }
    }
}

sub attend {
    my ($connection) = @_;
    my @messages;
    while (!@messages) {
        my $more;
        attend_to([$connection->{socket}, 0, sub { $more = receive($connection) // leave(0) }]);
        push @messages, @{ $more // [] };
    }
    my ($directory, $count, @fields) = split /\0/, (shift @messages)->[1], -1;
    my @arguments = splice @fields, 0, $count;
    my @pipes = map { pipe(my $reader, my $writer) or die "pipe: $!\n"; [$reader, $writer] } 0 .. 2;
    pipe(my $status, my $status_writer) or die "pipe: $!\n";
    my $supervisor = fork // die "fork: $!\n";
    if ($supervisor == 0) {
        close $_ for $connection->{socket}, $status, $pipes[0][1], $pipes[1][0], $pipes[2][0];
        supervise($status_writer, [$pipes[0][0], $pipes[1][1], $pipes[2][1]], $directory, \@arguments, \@fields);
    }
    close $_ for $status_writer, $pipes[0][0], $pipes[1][1], $pipes[2][1];
    fcntl($pipes[0][1], $F_SETFL, $O_NONBLOCK);
    my $command = {
        pid => 0,
        status => $status,
        # Signals that were requested before the command started.
        signals => [],
        input => { handle => $pipes[0][1], pending => '' },
        o => { handle => $pipes[1][0], window => $WINDOW },
        e => { handle => $pipes[2][0], window => $WINDOW },
    };
    take($connection, $command, @$_) for @messages;
    carry($connection, $command);
}

# Its parent watches a pipe and cannot wait for a child at the same time.
sub supervise {
    my ($status, $streams, $directory, $arguments, $environment) = @_;
    my $child = fork // die "fork: $!\n";
    if ($child == 0) {
        syscall($SYS_SETSID);
        $SIG{PIPE} = 'DEFAULT';
        open(STDIN, '<&', $streams->[0]) && open(STDOUT, '>&', $streams->[1]) && open(STDERR, '>&', $streams->[2]);
        my @own = map { "$_=$ENV{$_}" } grep { defined $ENV{$_} } qw(RDMA4J_GUEST RDMA4J_NODE);
        %ENV = map { /^([^=]+)=(.*)$/s ? ($1 => $2) : () } @$environment, @own;
        if (!chdir $directory) {
            syswrite(STDERR, "testbed-node: cannot enter $directory: $!\n");
            leave(125);
        }
        syswrite($status, "started $$\n");
        no warnings 'exec';
        exec { $arguments->[0] } @$arguments;
        my $missing = $! == $ENOENT;
        syswrite(STDERR, "testbed-node: cannot run $arguments->[0]: $!\n");
        leave($missing ? 127 : 126);
    }
    close $_ for @$streams;
    waitpid($child, 0);
    syswrite($status, 'exit ' . ($? >> 8) . ' ' . ($? & 127) . "\n");
    leave(0);
}

# Moves bytes until the client of the command closes the connection, after the end of the command or before. Does not close
# a connection with unread bytes, because the kernel would discard bytes that it has not sent.
sub carry {
    my ($connection, $command) = @_;
    my $input = $command->{input};
    my $connected = 1;
    while ($connected) {
        attend_to(
            [$connection->{socket}, 0, sub {
                my $messages = receive($connection);
                $connected = defined $messages;
                take($connection, $command, @$_) for @{ $messages // [] };
            }],
            $connection->{unsent} eq '' ? () : [$connection->{socket}, 1, sub { flush($connection) }],
            $command->{status} ? [$command->{status}, 0, sub { look_at($command) }] : (),
            $input->{handle} && $input->{pending} ne '' ? [$input->{handle}, 1, sub { write_input($connection, $command) }] : (),
            map({ my $letter = $_; [$command->{$letter}{handle}, 0, sub { read_output($connection, $command, $letter) }] }
                grep { $command->{$_}{handle} && $command->{$_}{window} > 0 } qw(o e)),
        );
        if (defined $command->{ended} && !$command->{o}{handle} && !$command->{e}{handle}) {
            send_message($connection, 'x', $command->{ended}) unless $command->{told}++;
        }
    }
    look_at($command) while $command->{status} && !$command->{pid};
    kill('KILL', -$command->{pid}) if $command->{status};
}

# Reads from the supervisor. When the command ends, processes that it left behind are killed.
sub look_at {
    my ($command) = @_;
    my $line = '';
    sysread($command->{status}, $line, $CHUNK);
    if ($line =~ /^started (\d+)$/m) {
        $command->{pid} = $1;
        send_signal($command, $_) for splice @{ $command->{signals} };
    }
    if ($line eq '' || $line =~ /^exit (.*)$/m) {
        $command->{ended} = $line eq '' ? '255 0' : $1;
        delete $command->{status};
        kill('KILL', -$command->{pid}) if $command->{pid};
        close_stream($command->{input});
        drain($command->{$_}) for qw(o e);
    }
}

# Does not wait for the end of the pipe, because a process in another process group may hold the pipe open.
sub drain {
    my ($output) = @_;
    return unless $output->{handle};
    my $bytes = pack('i', 0);
    ioctl($output->{handle}, $FIONREAD, $bytes);
    $output->{left} = unpack('i', $bytes);
    close_stream($output) if $output->{left} == 0;
}

sub take {
    my ($connection, $command, $type, $bytes) = @_;
    if ($type eq 's') {
        $command->{pid} ? send_signal($command, $bytes) : push @{ $command->{signals} }, $bytes;
    } elsif ($type eq 'w') {
        my ($letter, $count) = unpack('a1 N', $bytes);
        $command->{$letter}{window} += $count;
    } elsif ($command->{input}{handle}) {
        $command->{input}{pending} .= $bytes;
        $command->{input}{ends} = 1 if $bytes eq '';
        write_input($connection, $command);
    }
}

sub send_signal {
    my ($command, $number) = @_;
    kill($number, $number == 15 ? $command->{pid} : -$command->{pid}) if $command->{status};
}

sub write_input {
    my ($connection, $command) = @_;
    my $input = $command->{input};
    return unless $input->{handle};
    if ($input->{pending} ne '') {
        my $written = syswrite($input->{handle}, $input->{pending}, $CHUNK);
        if (!defined $written) {
            return if come_again();
            close_stream($input);
            send_message($connection, 'k', '');
            return;
        }
        substr($input->{pending}, 0, $written, '');
        grant($connection, $input, 'i', $written);
    }
    close_stream($input) if $input->{ends} && $input->{pending} eq '';
}

sub close_stream {
    my ($stream) = @_;
    my $handle = delete $stream->{handle} or return;
    close $handle;
}

sub read_output {
    my ($connection, $command, $letter) = @_;
    my $output = $command->{$letter};
    return unless $output->{handle};
    my ($most) = sort { $a <=> $b } $CHUNK, $output->{window}, $output->{left} // $CHUNK;
    my $got = sysread($output->{handle}, my $bytes, $most);
    return if !defined $got && come_again();
    if ($got) {
        $output->{window} -= $got;
        $output->{left} -= $got if defined $output->{left};
        send_message($connection, $letter, $bytes);
    }
    close_stream($output) if !$got || (defined $output->{left} && $output->{left} == 0);
}

# Exits without perl's clean-up, which would also affect the parent.
sub leave {
    my ($status) = @_;
    syscall($SYS_EXIT_GROUP, $status);
}
