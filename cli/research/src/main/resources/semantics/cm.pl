#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# The kernel's connection manager from a process without a JVM; x86-64, no module beyond perl-base.
#   bind ADDRESS PORT            what BIND answers
#   connect ADDRESS PORT         connects, says "established" and stays until it is killed
#   credentials                  commands after a change of the user id
#   fork ADDRESS                 parent and child share a descriptor
#   namespace ADDRESS            the namespace of the id is that of CREATE_ID
#   signal ADDRESS               GET_EVENT interrupted
use strict;
use warnings;
use POSIX ();

my ($SYS_UNSHARE, $CLONE_NEWNET) = (272, 0x40000000);
my ($CREATE_ID, $DESTROY_ID, $RESOLVE_ROUTE, $CONNECT, $ACCEPT, $GET_EVENT, $QUERY, $BIND, $RESOLVE_ADDR)
    = (0, 1, 4, 6, 8, 12, 19, 20, 21);
my @EVENTS = qw(ADDR_RESOLVED ADDR_ERROR ROUTE_RESOLVED ROUTE_ERROR CONNECT_REQUEST CONNECT_RESPONSE CONNECT_ERROR
    UNREACHABLE REJECTED ESTABLISHED DISCONNECTED);
my %ERRNO = (1 => 'EPERM', 4 => 'EINTR', 11 => 'EAGAIN', 13 => 'EACCES', 19 => 'ENODEV', 22 => 'EINVAL',
    98 => 'EADDRINUSE', 99 => 'EADDRNOTAVAIL', 101 => 'ENETUNREACH');
my $reply = '';
$reply .= "\0" for 1 .. 400;
my $address_of_reply = unpack 'Q', pack 'p', $reply;
my $fd;
$| = 1;

sub open_cm {
    sysopen(my $opened, '/dev/infiniband/rdma_cm', 2) or die "open: $!";
    $fd = $opened;
}

# Writes one command and returns OK or the name of the error.
sub command {
    my ($number, $body, $room) = @_;
    my $bytes = pack('LSS', $number, length $body, $room) . $body;
    return 'OK' if defined syswrite($fd, $bytes);
    return $ERRNO{ $! + 0 } || $! + 0;
}

sub create { my ($uid) = @_; return command($CREATE_ID, pack('QQSCx5', $uid, $address_of_reply, 0x106, 2), 4) }
sub handle { return unpack 'L', $reply }
sub sockaddr { my ($ip, $port) = @_; return pack("SnCCCCx8", 2, $port, split /\./, $ip) . "\0" x 112 }
sub bind_to { my ($id, $ip, $port) = @_; return command($BIND, pack('LSS', $id, 16, 0) . sockaddr($ip, $port), 0) }

sub resolve {
    my ($id, $ip, $port, $timeout) = @_;
    my $body = pack('LLSSL', $id, $timeout, 0, 16, 0) . "\0" x 128 . sockaddr($ip, $port);
    return command($RESOLVE_ADDR, $body, 0);
}

sub event {
    my $answer = command($GET_EVENT, pack('Q', $address_of_reply), 336);
    return $answer if $answer ne 'OK';
    my ($uid, $id, $number, $status) = unpack 'QLLl', $reply;
    return $EVENTS[$number] . ($status ? "($status)" : '');
}

sub conn_param { return pack('LL', 0x200000 + $$ % 65536, 0) . "\0" x 256 . pack('C8', 0, 0, 1, 1, 0, 7, 7, 1) }

sub must { my ($what, $expected) = @_; die "$what\n" if $what ne $expected }

sub connect_to {
    my ($ip, $port) = @_;
    must(create(1), 'OK');
    my $id = handle();
    must(resolve($id, $ip, $port, 5000), 'OK');
    must(event(), 'ADDR_RESOLVED');
    must(command($RESOLVE_ROUTE, pack('LL', $id, 5000), 0), 'OK');
    must(event(), 'ROUTE_RESOLVED');
    must(command($CONNECT, conn_param() . pack('LLLL', $id, 0, 0, 0), 0), 'OK');
    must(event(), 'CONNECT_RESPONSE');
    must(command($ACCEPT, pack('Q', 0) . "\0" x 272 . pack('LLLL', $id, 0, 0, 0), 0), 'OK');
    print "established\n";
    sleep 600;
}

sub credentials {
    must(create(1), 'OK');
    my $id = handle();
    $> = 65534;
    print 'as another user ', create(2), "\n";
    $> = 0;
    print 'as root again ', create(2), ', DESTROY ', command($DESTROY_ID, pack('QLL', $address_of_reply, $id, 0), 4), "\n";
}

sub forked {
    my ($ip) = @_;
    must(create(7), 'OK');
    my $id = handle();
    my $child = fork;
    if (!$child) {
        print "the child resolves ", resolve($id, $ip, 7174, 5000), "\n";
        exit 0;
    }
    waitpid $child, 0;
    print "the parent resolves ", resolve($id, $ip, 7174, 5000), "\n";
    print "the parent gets ", event(), "\n";
    $child = fork;
    if (!$child) {
        print "the child asks for a route ", command($RESOLVE_ROUTE, pack("LL", $id, 5000), 0), "\n";
        exit 0;
    }
    waitpid $child, 0;
    print 'after the end of the child the id is ',
        command($DESTROY_ID, pack('QLL', $address_of_reply, $id, 0), 4) eq 'OK' ? 'alive' : 'gone', "\n";
}

sub namespace {
    my ($ip) = @_;
    must(create(1), 'OK');
    my $before = handle();
    syscall($SYS_UNSHARE, $CLONE_NEWNET) == 0 or die "unshare: $!";
    must(create(2), 'OK');
    my $after = handle();
    print 'an id from before the change binds ', bind_to($before, $ip, 0), "\n";
    print 'an id from after it, on the same descriptor, ', bind_to($after, $ip, 0), "\n";
    must(create(3), 'OK');
    print 'the wildcard there ', bind_to(handle(), '0.0.0.0', 0), "\n";
}

sub signalled {
    my ($ip) = @_;
    must(create(1), 'OK');
    my $id = handle();
    POSIX::sigaction(POSIX::SIGALRM(), POSIX::SigAction->new(sub { }, POSIX::SigSet->new, 0));
    alarm 1;
    print 'GET_EVENT ', event(), "\n";
    must(resolve($id, $ip, 7174, 5000), 'OK');
    print 'then ', event(), "\n";
}

my $verb = shift @ARGV;
open_cm();
if ($verb eq 'bind') {
    must(create(1), 'OK');
    print bind_to(handle(), @ARGV), "\n";
}
elsif ($verb eq 'connect') { connect_to(@ARGV) }
elsif ($verb eq 'credentials') { credentials() }
elsif ($verb eq 'fork') { forked(@ARGV) }
elsif ($verb eq 'namespace') { namespace(@ARGV) }
elsif ($verb eq 'signal') { signalled(@ARGV) }
else { die "no such verb\n" }
