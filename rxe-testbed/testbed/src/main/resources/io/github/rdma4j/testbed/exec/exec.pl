#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# Runs many commands at once for the process at the other end of its standard streams, and moves files and connections.
#
# Needs only perl-base and the module Socket, for the reasons in agent.pl. ExecClient.java sends the program as the first
# bytes of its input, so a guest needs no file.
#
# Both directions carry frames: type (1 byte), channel (4 bytes), length (4 bytes, network order), bytes. A channel is one
# command; the client numbers the channels and never reuses a number.
#   to the server
#     c  start: strings as below, each after its length (4 bytes)
#          run DIRECTORY COUNT ARGUMENT... VARIABLE...  a program; NAME=VALUE sets a variable, NAME alone removes it
#          read PATH | write PATH MODE | connect HOST PORT: a file or a connection instead of a program
#          export PATH | import PATH: as read and write, but a file or a directory with all below it, as a tree (see there)
#     i  input; empty: its end
#     s  signal: NUMBER process|group
#     w  window: a stream (1 byte, 1 or 2) and how many bytes (4 bytes) more of it the client has room for
#     k  closed: this stream (1 byte) has no reader
#     q  quit: end all commands, TERM first, and then the server
#   from the server
#     h  hello: facts of this system, as the strings of c; channel 0
#     b  begun: the process id
#     o, e  output; empty: its end
#     w  window: how many bytes (4 bytes) of input have left the server, which holds at most $WINDOW of each channel
#     k  closed: the input has no reader
#     x  exit: STATUS SIGNAL; output that the command had written before may still follow
use strict;
use warnings;
use Config;
use Socket qw(:DEFAULT IPPROTO_TCP TCP_NODELAY);

# The numbers differ between arm64 and x86-64.
my ($SYS_RT_SIGPROCMASK, $SYS_EXIT_GROUP, $SYS_SIGNALFD4) =
    $Config{archname} =~ /^aarch64/ ? (135, 94, 74) : (14, 231, 289);
my ($SIG_BLOCK, $SIG_UNBLOCK, $SIGCHLD, $WNOHANG) = (0, 1, 17, 1);
my ($F_SETFL, $O_NONBLOCK, $FIONREAD) = (4, 2048, 0x541b);
my ($ENOENT, $EINTR, $EAGAIN) = (2, 4, 11);
my ($CHUNK, $WINDOW, $LONGEST_FRAME) = (65536, 262144, 1 << 24);
my $GRACE_SECONDS = 2;

my ($client, $buffer) = (\*STDIN, '');
my (%channels, %channel_of);
my $child_mask = pack('Q', 1 << ($SIGCHLD - 1));

$0 = 'rdma4j-exec';
$SIG{PIPE} = 'IGNORE';
# If commands use all memory, the kernel must kill them before the server.
spew('/proc/self/oom_score_adj', -999);
syscall($SYS_RT_SIGPROCMASK, $SIG_BLOCK, $child_mask, 0, 8) == 0 or die "sigprocmask: $!\n";
my $signal_fd = syscall($SYS_SIGNALFD4, -1, $child_mask, 8, $O_NONBLOCK);
open(my $children, '<&=', $signal_fd) or die "signalfd: $!\n";

send_frame('h', 0, pack('(N/a)*', facts()));
serve();

sub serve {
    while (1) {
        my ($readable, $writable) = ('', '');
        vec($readable, fileno $client, 1) = 1;
        vec($readable, $signal_fd, 1) = 1;
        for my $channel (values %channels) {
            vec($writable, fileno $channel->{input}, 1) = 1 if $channel->{input} && $channel->{pending} ne '';
            for my $stream (grep { $channel->{$_}{pipe} && $channel->{$_}{window} > 0 } 1, 2) {
                vec($readable, fileno $channel->{$stream}{pipe}, 1) = 1;
            }
        }
        next if select($readable, $writable, undef, undef) < 0;
        for my $channel (values %channels) {
            write_input($channel) if $channel->{input} && vec($writable, fileno $channel->{input}, 1);
            for my $stream (1, 2) {
                my $pipe = $channel->{$stream}{pipe} or next;
                read_output($channel, $stream) if vec($readable, fileno $pipe, 1);
            }
        }
        reap() if vec($readable, $signal_fd, 1);
        take_frames() if vec($readable, fileno $client, 1);
    }
}

# ---- frames -------------------------------------------------------------------------------------------------------

sub send_frame {
    my ($type, $channel, $bytes) = @_;
    my $frame = pack('a1 N N', $type, $channel, length $bytes) . $bytes;
    while (length $frame) {
        my $written = syswrite(STDOUT, $frame);
        # No client is left.
        quit() if !defined $written && $! != $EINTR;
        substr($frame, 0, $written // 0, '');
    }
}

sub take_frames {
    my $got = sysread($client, $buffer, $CHUNK, length $buffer);
    return if !defined $got && ($! == $EINTR || $! == $EAGAIN);
    quit() if !$got;
    while (length $buffer >= 9) {
        my ($type, $number, $length) = unpack('a1 N N', $buffer);
        give_up("a frame of type " . ord($type) . " with $length bytes") if $type !~ /[ciswkq]/ || $length > $LONGEST_FRAME;
        last if length $buffer < 9 + $length;
        my $bytes = substr($buffer, 9, $length);
        substr($buffer, 0, 9 + $length, '');
        handle($type, $number, $bytes);
    }
}

sub handle {
    my ($type, $number, $bytes) = @_;
    return quit() if $type eq 'q';
    return start($number, $bytes) if $type eq 'c';
    # A frame for a channel that has ended.
    my $channel = $channels{$number} or return;
    if ($type eq 'i') {
        $channel->{pending} .= $bytes if $channel->{input};
        $channel->{input_ends} = 1 if $bytes eq '';
        write_input($channel) if $channel->{input};
    } elsif ($type eq 's') {
        my ($signal, $target) = $bytes =~ /^(\d+) (process|group)$/ or give_up("the signal $bytes");
        kill($signal, $target eq 'group' ? -$channel->{pid} : $channel->{pid}) unless $channel->{exited};
    } elsif ($type eq 'w') {
        my ($stream, $count) = unpack('C N', $bytes);
        $channel->{$stream}{window} += $count;
    } else {
        end_output($channel, unpack('C', $bytes));
    }
}

# ---- channels -----------------------------------------------------------------------------------------------------

sub start {
    my ($number, $bytes) = @_;
    my ($what, @fields) = unpack('(N/a)*', $bytes);
    my @pipes;
    for (0 .. 2) {
        pipe(my $reader, my $writer) or return refuse_channel($number);
        push @pipes, [$reader, $writer];
    }
    my $pid = fork // return refuse_channel($number);
    if ($pid == 0) {
        # They close by themselves where a program runs, but a file or a connection is no program: it would hold the
        # input of other commands open.
        close $_ for $pipes[0][1], $pipes[1][0], $pipes[2][0], grep { defined } map { $_->{input}, $_->{1}{pipe}, $_->{2}{pipe} } values %channels;
        become($what, [$pipes[0][0], $pipes[1][1], $pipes[2][1]], @fields);
    }
    # The child does the same: whichever comes first, a signal to the group finds it.
    setpgrp($pid, $pid);
    close $_ for $pipes[0][0], $pipes[1][1], $pipes[2][1];
    # A command that does not read must not stop the others.
    fcntl($pipes[0][1], $F_SETFL, $O_NONBLOCK);
    $channel_of{$pid} = $channels{$number} = {
        number => $number,
        pid => $pid,
        input => $pipes[0][1],
        pending => '',
        1 => { pipe => $pipes[1][0], window => $WINDOW, type => 'o' },
        2 => { pipe => $pipes[2][0], window => $WINDOW, type => 'e' },
    };
    send_frame('b', $number, $pid);
}

sub refuse_channel {
    my ($number) = @_;
    send_frame('e', $number, "rdma4j: no process can be made: $!\n");
    send_frame($_, $number, '') for 'o', 'e';
    send_frame('x', $number, '125 0');
}

sub write_input {
    my ($channel) = @_;
    if ($channel->{pending} ne '') {
        my $written = syswrite($channel->{input}, $channel->{pending}, $CHUNK);
        if (!defined $written) {
            # The command has closed its input: later input is discarded.
            close_input($channel) unless $! == $EAGAIN || $! == $EINTR;
            return;
        }
        substr($channel->{pending}, 0, $written, '');
        send_frame('w', $channel->{number}, pack('N', $written));
    }
    close_input($channel) if $channel->{pending} eq '' && $channel->{input_ends};
}

sub close_input {
    my ($channel) = @_;
    my $input = delete $channel->{input} or return;
    close $input;
    $channel->{pending} = '';
    send_frame('k', $channel->{number}, '') unless $channel->{input_ends};
}

sub read_output {
    my ($channel, $stream) = @_;
    my $output = $channel->{$stream};
    my $most = $output->{window} < $CHUNK ? $output->{window} : $CHUNK;
    $most = $output->{left} if defined $output->{left} && $output->{left} < $most;
    my $got = sysread($output->{pipe}, my $bytes, $most);
    return if !defined $got && $! == $EINTR;
    if ($got) {
        $output->{window} -= $got;
        $output->{left} -= $got if defined $output->{left};
        send_frame($output->{type}, $channel->{number}, $bytes);
    }
    end_output($channel, $stream) if !$got || (defined $output->{left} && $output->{left} == 0);
}

sub end_output {
    my ($channel, $stream) = @_;
    my $pipe = delete $channel->{$stream}{pipe} or return;
    close $pipe;
    send_frame($channel->{$stream}{type}, $channel->{number}, '');
    forget($channel);
}

sub reap {
    sysread($children, my $ignored, $CHUNK);
    while ((my $pid = waitpid(-1, $WNOHANG)) > 0) {
        my $status = $?;
        my $channel = delete $channel_of{$pid} or next;
        $channel->{exited} = 1;
        # The client learns from the exit that the input has no reader.
        $channel->{input_ends} = 1;
        close_input($channel);
        send_frame('x', $channel->{number}, ($status >> 8) . ' ' . ($status & 127));
        drain($channel, $_) for 1, 2;
        forget($channel);
    }
}

# Not to the pipe's end, which comes only when all have closed it: a daemon that the command left behind holds it open.
sub drain {
    my ($channel, $stream) = @_;
    my $output = $channel->{$stream};
    return unless $output->{pipe};
    my $bytes = pack('i', 0);
    ioctl($output->{pipe}, $FIONREAD, $bytes);
    $output->{left} = unpack('i', $bytes);
    end_output($channel, $stream) if $output->{left} == 0;
}

sub forget {
    my ($channel) = @_;
    delete $channels{ $channel->{number} } if $channel->{exited} && !$channel->{1}{pipe} && !$channel->{2}{pipe};
}

# ---- the work of a channel, in a separate process -----------------------------------------------------------------

sub become {
    my ($what, $streams, @fields) = @_;
    setpgrp(0, 0);
    spew('/proc/self/oom_score_adj', 0);
    syscall($SYS_RT_SIGPROCMASK, $SIG_UNBLOCK, $child_mask, 0, 8);
    open(STDIN, '<&', $streams->[0]) && open(STDOUT, '>&', $streams->[1]) && open(STDERR, '>&', $streams->[2]) or leave(125);
    close $_ for @$streams;
    my %work = (
        run => \&run, read => \&read_file, write => \&write_file, connect => \&carry,
        export => \&export_tree, import => \&import_tree,
    );
    my $work = $work{$what} or refuse(125, "no work is called $what");
    leave($work->(@fields));
}

sub run {
    my ($directory, $count, @fields) = @_;
    my @arguments = splice @fields, 0, $count;
    for (@fields) {
        /^(.[^=]*)=(.*)$/s ? ($ENV{$1} = $2) : delete $ENV{$_};
    }
    chdir $directory or refuse(125, "cannot enter $directory: $!");
    $SIG{PIPE} = 'DEFAULT';
    no warnings 'exec';
    exec { $arguments[0] } @arguments;
    refuse($! == $ENOENT ? 127 : 126, "cannot run $arguments[0]: $!");
}

sub read_file {
    my ($path) = @_;
    open(my $file, '<:raw', $path) or refuse(1, "cannot read $path: $!");
    -d $file and refuse(1, "cannot read $path: Is a directory");
    copy($file, \*STDOUT, $path);
    return 0;
}

sub write_file {
    my ($path, $mode) = @_;
    my ($directory) = $path =~ m{^(.+)/[^/]*$}s;
    make_directory($directory) if defined $directory;
    open(my $file, '>:raw', $path) or refuse(1, "cannot write $path: $!");
    copy(\*STDIN, $file, $path);
    close $file or refuse(1, "cannot write $path: $!");
    chmod oct $mode, $path or refuse(1, "cannot change the mode of $path: $!");
    return 0;
}

# A tree is a sequence of entries: type (1 byte) and strings, each after its length (4 bytes).
#   d  NAME MODE, the entries of the directory, and the type . after them; the NAME of the whole is empty
#   f  NAME MODE, pieces of the content, and an empty one after them
#   l  NAME TARGET, a symbolic link
# Modes are octal. A file instead of a directory is only the type f, followed by the content.

sub export_tree {
    my ($path) = @_;
    return export_directory($path, '') if -d $path;
    open(my $file, '<:raw', $path) or refuse(1, "cannot read $path: $!");
    put('f');
    copy($file, \*STDOUT, $path);
    return 0;
}

sub export_directory {
    my ($path, $name) = @_;
    opendir(my $directory, $path) or refuse(1, "cannot read $path: $!");
    my @names = sort grep { $_ ne '.' && $_ ne '..' } readdir $directory;
    closedir $directory;
    put('d', $name, mode_of($path));
    for (@names) {
        my $entry = "$path/$_";
        if (-l $entry) {
            put('l', $_, readlink($entry) // refuse(1, "cannot read $entry: $!"));
        } elsif (-d _) {
            export_directory($entry, $_);
        } elsif (-f _) {
            export_file($entry, $_);
        } else {
            refuse(1, "cannot copy $entry, which is neither a file nor a directory nor a symbolic link");
        }
    }
    put('.');
    return 0;
}

sub export_file {
    my ($path, $name) = @_;
    open(my $file, '<:raw', $path) or refuse(1, "cannot read $path: $!");
    put('f', $name, mode_of($path));
    while (1) {
        my $got = sysread($file, my $bytes, $CHUNK);
        next if !defined $got && $! == $EINTR;
        defined $got or refuse(1, "cannot read $path: $!");
        put('', $bytes);
        return if !$got;
    }
}

sub mode_of {
    my ($path) = @_;
    return sprintf '%o', ((stat $path)[2] // refuse(1, "cannot read $path: $!")) & 0777;
}

sub put {
    my ($type, @strings) = @_;
    write_all(\*STDOUT, $type . pack('(N/a)*', @strings)) or leave(1);
}

sub import_tree {
    my ($path) = @_;
    take(1) eq 'd' or refuse(125, 'a tree begins with a directory');
    take_string();
    import_directory($path, take_string(), 1);
    return 0;
}

sub import_directory {
    my ($path, $mode, $top) = @_;
    # Only the path that the caller has named may lead elsewhere.
    -l $path && !$top && refuse(1, "cannot make the directory $path: it is a symbolic link");
    make_directory($path);
    while ((my $type = take(1)) ne '.') {
        my $name = take_string();
        $name =~ m{^(?:\.{0,2}|.*/.*)\z}s and refuse(125, "a tree with the name $name");
        my $entry = "$path/$name";
        if ($type eq 'd') {
            import_directory($entry, take_string(), 0);
            next;
        }
        lstat $entry and (unlink $entry or refuse(1, "cannot replace $entry: $!"));
        if ($type eq 'l') {
            symlink(take_string(), $entry) or refuse(1, "cannot make the link $entry: $!");
        } else {
            import_file($entry, take_string());
        }
    }
    # Not before: nothing can be written into a directory that is read-only.
    chmod oct $mode, $path or refuse(1, "cannot change the mode of $path: $!");
}

sub import_file {
    my ($path, $mode) = @_;
    open(my $file, '>:raw', $path) or refuse(1, "cannot write $path: $!");
    while ((my $bytes = take_string()) ne '') {
        write_all($file, $bytes) or refuse(1, "cannot write $path: $!");
    }
    close $file or refuse(1, "cannot write $path: $!");
    chmod oct $mode, $path or refuse(1, "cannot change the mode of $path: $!");
}

sub take_string {
    return take(unpack('N', take(4)));
}

sub take {
    my ($count) = @_;
    my $bytes = '';
    while (length $bytes < $count) {
        my $got = sysread(STDIN, $bytes, $count - length $bytes, length $bytes);
        next if !defined $got && $! == $EINTR;
        # The sender knows the reason.
        leave(1) if !$got;
    }
    return $bytes;
}

sub make_directory {
    my ($path) = @_;
    return if -d $path;
    my ($parent) = $path =~ m{^(.+)/[^/]+/*$}s;
    make_directory($parent) if defined $parent;
    mkdir $path or -d $path or refuse(1, "cannot make the directory $path: $!");
}

sub carry {
    my ($host, $port) = @_;
    my $address = inet_aton($host) // refuse(1, "the name $host has no address");
    socket(my $socket, PF_INET, SOCK_STREAM, 0) or refuse(1, "socket: $!");
    connect($socket, pack_sockaddr_in($port, $address)) or refuse(1, "cannot connect to $host port $port: $!");
    setsockopt($socket, IPPROTO_TCP, TCP_NODELAY, 1);
    # The peer may send and not read until it is read from: neither direction may wait for the other.
    fcntl($_, $F_SETFL, $O_NONBLOCK) for \*STDIN, \*STDOUT, $socket;
    my @ways = map { { from => $_->[0], to => $_->[1], pending => '' } } [\*STDIN, $socket], [$socket, \*STDOUT];
    while (@ways) {
        my ($readable, $writable) = ('', '');
        for (@ways) {
            $_->{pending} eq '' ? (vec($readable, fileno $_->{from}, 1) = 1) : (vec($writable, fileno $_->{to}, 1) = 1);
        }
        next if select($readable, $writable, undef, undef) < 0;
        for my $way (splice @ways) {
            my $ready = $way->{pending} eq '' ? vec($readable, fileno $way->{from}, 1) : vec($writable, fileno $way->{to}, 1);
            if (!$ready || move($way)) {
                push @ways, $way;
                next;
            }
            close $_ for grep { $_ != $socket } $way->{from}, $way->{to};
            shutdown($socket, 1) if $way->{to} == $socket;
        }
    }
    return 0;
}

# Returns whether there is more: an error ends a direction as its end does.
sub move {
    my ($way) = @_;
    if ($way->{pending} eq '') {
        my $got = sysread($way->{from}, $way->{pending}, $CHUNK);
        return $got || (!defined $got && ($! == $EINTR || $! == $EAGAIN));
    }
    my $written = syswrite($way->{to}, $way->{pending});
    return $! == $EINTR || $! == $EAGAIN if !defined $written;
    substr($way->{pending}, 0, $written, '');
    return 1;
}

sub copy {
    my ($from, $to, $path) = @_;
    while (1) {
        my $got = sysread($from, my $bytes, $CHUNK);
        next if !defined $got && $! == $EINTR;
        defined $got or refuse(1, "cannot read $path: $!");
        return if !$got;
        write_all($to, $bytes) or refuse(1, "cannot write $path: $!");
    }
}

sub write_all {
    my ($to, $bytes) = @_;
    while (length $bytes) {
        my $written = syswrite($to, $bytes);
        return 0 if !defined $written && $! != $EINTR;
        substr($bytes, 0, $written // 0, '');
    }
    return 1;
}

sub refuse {
    my ($status, $reason) = @_;
    syswrite(STDERR, "rdma4j: $reason\n");
    leave($status);
}

# Exits without perl's clean-up, which would also affect the server.
sub leave {
    my ($status) = @_;
    syscall($SYS_EXIT_GROUP, $status);
}

# ---- the end ------------------------------------------------------------------------------------------------------

sub quit {
    my @pids = keys %channel_of;
    kill('TERM', -$_) && kill('CONT', -$_) for @pids;
    for (my $waited = 0; %channel_of && $waited < $GRACE_SECONDS; $waited += 0.02) {
        while ((my $pid = waitpid(-1, $WNOHANG)) > 0) {
            delete $channel_of{$pid};
        }
        select(undef, undef, undef, 0.02) if %channel_of;
    }
    kill('KILL', -$_) for @pids;
    leave(0);
}

sub give_up {
    my ($reason) = @_;
    syswrite(STDERR, "rdma4j: the exec server received $reason\n");
    kill('KILL', -$_) for keys %channel_of;
    leave(3);
}

# ---- small things -------------------------------------------------------------------------------------------------

sub facts {
    chomp(my $kernel = slurp('/proc/sys/kernel/osrelease') // '');
    my @devices;
    if (opendir(my $directory, '/sys/class/infiniband')) {
        @devices = sort grep { !/^\./ } readdir $directory;
    }
    return ($kernel, $devices[0] // '');
}

sub slurp {
    my ($path) = @_;
    open(my $file, '<', $path) or return undef;
    sysread($file, my $text, $CHUNK);
    return $text;
}

sub spew {
    my ($path, $text) = @_;
    open(my $file, '>', $path) or return;
    syswrite($file, $text);
}
