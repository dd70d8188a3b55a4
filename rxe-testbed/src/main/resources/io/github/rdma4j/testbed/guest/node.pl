#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# Runs commands on another node of the testbed.
#
#     testbed-node N [--] COMMAND [ARGUMENT]...   runs it on node N with this directory and environment
#     node.pl serve                               what the other nodes run: takes such commands until it is ended
#     node.pl serve ADDRESS                       the same on one address, for commands that come from outside the guest
#     node.pl SOCKET [--] COMMAND [ARGUMENT]...   runs it behind the Unix socket of testbed serve
#
# Streams, status and signals are as of a command run here: status 128 + N if signal N killed it, 255 if the node cannot be
# reached. A command ends with the connection to who asked for it. Input of more than 64 KiB that it does not read holds
# its output up.
#
# Both directions of a connection carry messages: type (1 byte), length (4 bytes, network order), bytes.
#   to the server: c command, fields as below | i input, empty at its end | s signal number
#   from the server: o, e output | x STATUS SIGNAL, the last
use strict;
use warnings;
use Socket qw(:DEFAULT IPPROTO_TCP TCP_NODELAY);

my ($PORT, $CHUNK, $CONNECT_SECONDS) = (7077, 65536, 30);
my ($SYS_SETSID, $SYS_EXIT_GROUP) = (112, 231);
my ($ENOENT, $EINTR) = (2, 4);
$SIG{PIPE} = 'IGNORE';

@ARGV && $ARGV[0] eq 'serve' ? serve($ARGV[1]) : client(@ARGV);

# ---- messages -----------------------------------------------------------------------------------------------------

sub send_message {
    my ($socket, $type, $bytes) = @_;
    my $message = pack('a1 N', $type, length $bytes) . $bytes;
    while (length $message) {
        my $written = syswrite($socket, $message);
        return 0 if !defined $written && $! != $EINTR;
        substr($message, 0, $written // 0, '');
    }
    return 1;
}

# Reads once and returns the messages that are complete, each as [type, bytes]; undef at the end of the connection.
sub receive {
    my ($socket, $buffer) = @_;
    my $got = sysread($socket, $$buffer, $CHUNK, length $$buffer);
    return [] if !defined $got && $! == $EINTR;
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
    my $socket = connected($node);
    my @environment = map { "$_=$ENV{$_}" } grep { $_ ne 'RDMA4J_NODE' } keys %ENV;
    for my $name (qw(INT HUP TERM USR1 CONT WINCH)) {
        my $number = { INT => 2, HUP => 1, TERM => 15, USR1 => 10, CONT => 18, WINCH => 28 }->{$name};
        $SIG{$name} = sub { send_message($socket, 's', $number) };
    }
    send_message($socket, 'c', join("\0", readlink('/proc/self/cwd'), scalar @command, @command, @environment));
    relay_streams($socket, $node);
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
    my ($socket, $node) = @_;
    my ($buffer, $input_open) = ('', 1);
    while (1) {
        my $readable = '';
        vec($readable, fileno $socket, 1) = 1;
        vec($readable, fileno STDIN, 1) = 1 if $input_open;
        next if select($readable, undef, undef, undef) < 0;
        if ($input_open && vec($readable, fileno STDIN, 1)) {
            my $got = sysread(STDIN, my $bytes, $CHUNK);
            $input_open = 0 if !$got;
            send_message($socket, 'i', $got ? $bytes : '');
        }
        next unless vec($readable, fileno $socket, 1);
        my $messages = receive($socket, \$buffer) // give_up($node =~ m{^/} ? 'the guest is gone' : "node $node is gone", 255);
        for my $message (@$messages) {
            my ($type, $bytes) = @$message;
            if ($type eq 'x') {
                my ($status, $signal) = split / /, $bytes;
                exit($signal ? 128 + $signal : $status);
            }
            write_out($type eq 'o' ? \*STDOUT : \*STDERR, $bytes);
        }
    }
}

sub write_out {
    my ($stream, $bytes) = @_;
    while (length $bytes) {
        my $written = syswrite($stream, $bytes);
        # Nobody reads any more: the end of the connection ends the command there.
        exit 128 + 13 if !defined $written && $! != $EINTR;
        substr($bytes, 0, $written // 0, '');
    }
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
            attend($socket);
            exit 0;
        }
    }
}

sub attend {
    my ($socket) = @_;
    my ($buffer, @messages) = ('');
    while (!@messages) {
        my $more = receive($socket, \$buffer) // return;
        push @messages, @$more;
    }
    my $command = shift @messages;
    my ($directory, $count, @fields) = split /\0/, $command->[1], -1;
    my @arguments = splice @fields, 0, $count;
    my @pipes = map { pipe(my $reader, my $writer) or die "pipe: $!\n"; [$reader, $writer] } 0 .. 2;
    pipe(my $status, my $status_writer) or die "pipe: $!\n";
    my $supervisor = fork // die "fork: $!\n";
    if ($supervisor == 0) {
        close $_ for $socket, $status, $pipes[0][1], $pipes[1][0], $pipes[2][0];
        supervise($status_writer, [$pipes[0][0], $pipes[1][1], $pipes[2][1]], $directory, \@arguments, \@fields);
    }
    close $_ for $status_writer, $pipes[0][0], $pipes[1][1], $pipes[2][1];
    carry($socket, $buffer, \@messages, $status, $pipes[0][1], { o => $pipes[1][0], e => $pipes[2][0] });
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
        chdir $directory;
        syswrite($status, "started $$\n");
        no warnings 'exec';
        exec { $arguments->[0] } @$arguments;
        my $missing = $! == $ENOENT;
        syswrite(STDERR, "testbed-node: cannot run $arguments->[0]: $!\n");
        syscall($SYS_EXIT_GROUP, $missing ? 127 : 126);
    }
    close $_ for @$streams;
    waitpid($child, 0);
    syswrite($status, 'exit ' . ($? >> 8) . ' ' . ($? & 127) . "\n");
    syscall($SYS_EXIT_GROUP, 0);
}

# Moves bytes until the command has ended and what it wrote is on its way; what it left behind is killed.
sub carry {
    my ($socket, $buffer, $messages, $status, $input, $outputs) = @_;
    my ($pid, $ended, $connected) = (0, undef, 1);
    while (1) {
        my $readable = '';
        vec($readable, fileno $_, 1) = 1 for $connected ? $socket : (), defined $ended ? () : $status, values %$outputs;
        my $found = select($readable, undef, undef, defined $ended ? 0 : undef);
        last if defined $ended && $found <= 0;
        next if $found < 0;
        if (!defined $ended && vec($readable, fileno $status, 1)) {
            my $line = '';
            sysread($status, $line, $CHUNK);
            if ($line =~ /^started (\d+)$/m) {
                $pid = $1;
                # What was asked for before there was anything to signal.
                take($_, \$pid, \$input) for splice @$messages;
                kill('KILL', -$pid) unless $connected;
            }
            $ended = $1 if $line =~ /^exit (.*)$/m;
            $ended //= '255 0' if $line eq '';
        }
        for my $type (keys %$outputs) {
            next unless vec($readable, fileno $outputs->{$type}, 1);
            my $got = sysread($outputs->{$type}, my $bytes, $CHUNK);
            $got ? send_message($socket, $type, $bytes) : delete $outputs->{$type};
        }
        if ($connected && vec($readable, fileno $socket, 1)) {
            my $more = receive($socket, \$buffer);
            $connected = defined $more;
            kill('KILL', -$pid) if !$connected && $pid;
            push @$messages, @{ $more // [] };
            take($_, \$pid, \$input) for $pid ? splice @$messages : ();
        }
    }
    kill('KILL', -$pid) if $pid;
    send_message($socket, 'x', $ended);
}

sub take {
    my ($message, $pid, $input) = @_;
    my ($type, $bytes) = @$message;
    if ($type eq 's') {
        kill($bytes, $bytes == 15 ? $$pid : -$$pid);
    } elsif ($type eq 'i' && $$input) {
        if ($bytes eq '') {
            close $$input;
            $$input = undef;
        } else {
            syswrite($$input, $bytes);
        }
    }
}
