#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# Sends random frames to an InfiniBand adapter in software, and random management datagrams to its agents.
#
# frames INTERFACE MAC COUNT SEED      on the Ethernet of the adapter with this MAC address
# datagrams DEVICE COUNT SEED          by /dev/infiniband/DEVICE, to the agents of this node
# query DEVICE LID INDEX               one query of performance management, with the partition key of this index
use strict;
use warnings;

my ($AF_PACKET, $SOCK_RAW, $SYS_IOCTL) = (17, 3, 16);
my ($TYPE_PACKET, $TYPE_HELLO) = (0x88b5, 0x88b6);
my ($ENABLE_PKEY, $REGISTER) = (0x1b03, 0xc01c1b01);

my ($verb, @arguments) = @ARGV;
my %verbs = (frames => \&frames, datagrams => \&datagrams, query => \&query);
$verbs{$verb}->(@arguments);

sub frames {
    my ($interface, $mac, $count, $seed) = @_;
    srand $seed;
    open(my $file, '<', "/sys/class/net/$interface/ifindex") or die "$interface: $!\n";
    chomp(my $index = <$file>);
    open(my $own, '<', "/sys/class/net/$interface/address") or die "$interface: $!\n";
    chomp(my $source = <$own>);
    socket(my $socket, $AF_PACKET, $SOCK_RAW, 0) or die "socket: $!\n";
    my $to = pack 'S n i S C C a8', $AF_PACKET, $TYPE_PACKET, $index, 0, 0, 6, '';
    for (1 .. $count) {
        my $hello = rand 8 < 1;
        my $header = pack 'H12 H12 n', map({ s/://gr } $mac, rand 4 < 1 ? random_mac() : $source), $hello ? $TYPE_HELLO : $TYPE_PACKET;
        my $frame = $header . mutated($hello ? hello($mac) : packet());
        $frame .= "\0" x (14 - length $frame) if length $frame < 14;
        send($socket, $frame, 0, $to);
    }
}

sub random_mac {
    return join ':', map { sprintf '%02x', int rand 256 } 1 .. 6;
}

sub hello {
    my ($mac) = @_;
    my $partner = pack 'H12', rand 2 < 1 ? $mac =~ s/://gr : '0' x 12;
    return pack 'N C C C C a6 n Q>', 0x49426c6b, 1, rand 8, rand 4, rand 8, $partner, 1, rand 1 << 30;
}

# A packet that the adapter may take, with one of the transports and kinds of headers.
sub packet {
    my $grh = rand 3 < 1;
    my $qpn = (0, 1, 16 + int rand 40, 0xffffff)[rand 4];
    my $opcode = rand 3 < 1 ? int rand 256 : 0x64;
    my $payload = rand 2 < 1 ? smp() : bytes(4 * int rand 100);
    my $body = pack 'C C n N N', $opcode, rand(4) < 1 ? rand 256 : 0, 0xffff, $qpn, int rand 1 << 24;
    $body .= pack('N N', $qpn == 1 ? 0x80010000 : 0, $qpn < 2 ? $qpn : 17) . $payload;
    my $route = '';
    $route = pack('N n C C', 6 << 28, length($body) + 4, 0x1b, 64) . bytes(16) . pack('Q> Q>', 0xfe80 << 48, rand 1 << 30) if $grh;
    my $dlid = (1, 2, 0xffff, 0xc000 + int rand 8)[rand 4];
    my $words = (8 + length($route) + length($body) + 4) / 4;
    my $lrh = pack 'C C n n n', $qpn ? 0 : 0xf0, $grh ? 3 : 2, $dlid, $words, rand 3;
    my $packet = $lrh . $route . $body;
    return $packet . icrc($lrh, $route, $body);
}

# A mutation before the CRC would be made is rarely noticed, so some packets keep a good CRC.
sub mutated {
    my ($bytes) = @_;
    for (1 .. (0, 0, 1, 3, 10)[rand 5]) {
        substr($bytes, int rand length $bytes, 1) = chr int rand 256;
    }
    $bytes = substr $bytes, 0, int rand(1 + length $bytes) if rand 8 < 1;
    $bytes .= bytes(int rand 60) if rand 8 < 1;
    return $bytes;
}

sub bytes {
    my ($length) = @_;
    return join '', map { chr int rand 256 } 1 .. $length;
}

sub smp {
    my $class = (0x01, 0x81, 0x04, 0x03, int rand 256)[rand 5];
    my $method = (1, 2, 5, 7, 0x81, int rand 256)[rand 6];
    my $attribute = rand 8 < 1 ? int rand 1 << 16 : (0x10 .. 0x20, 1, 2)[rand 19];
    my $modifier = (0, 1, int rand 1 << 20, int rand 1 << 31)[rand 4];
    my ($hop, $hops) = rand 2 < 1 ? (0, 0) : (int rand 256, int rand 256);
    my $header = pack 'C C C C n C C Q> n n N', 1, $class, rand 16 < 1 ? 2 : 1, $method, rand 8 < 1 ? 0x8000 : 0, $hop, $hops, rand 1 << 30,
        $attribute, 0, $modifier;
    return $header . bytes(8) . pack('n n', rand 2 < 1 ? 0xffff : 1, 0xffff) . bytes(220);
}

my @crc_table;

sub crc {
    my ($text) = @_;
    @crc_table = map { my $c = $_; $c = $c & 1 ? 0xedb88320 ^ $c >> 1 : $c >> 1 for 1 .. 8; $c } 0 .. 255 unless @crc_table;
    my $crc = 0xffffffff;
    $crc = $crc_table[($crc ^ ord) & 0xff] ^ $crc >> 8 for split //, $text;
    return $crc ^ 0xffffffff;
}

sub icrc {
    my ($lrh, $route, $body) = @_;
    substr($lrh, 0, 1) |= "\xf0";
    substr($route, 0, 4) |= "\x0f\xff\xff\xff" if $route ne '';
    substr($route, 7, 1) = "\xff" if $route ne '';
    substr($body, 4, 1) = "\xff";
    return pack 'V', crc($lrh . $route . $body);
}

sub datagrams {
    my ($device, $count, $seed) = @_;
    srand $seed;
    my ($umad, @agents) = agents($device);
    for (1 .. $count) {
        my $qpn = int rand 2;
        my $lid = (0xffff, 1, 2, int rand 1 << 16)[rand 4];
        my $index = rand 8 < 1 ? int rand 40 : 0;
        syswrite($umad, addressed($agents[$qpn], $qpn, $lid, rand 8 < 1 ? 1 : 0, $index) . pack 'a256', mutated(smp()));
        sysread($umad, my $answer, 1024) if readable($umad);
    }
}

sub query {
    my ($device, $lid, $index) = @_;
    my ($umad, @agents) = agents($device);
    syswrite($umad, addressed($agents[1], 1, $lid, 0, $index, 2000) . pack 'C C C C n n Q> n n N x232', 1, 4, 1, 1, 0, 0, 7, 1, 0, 0);
    sysread($umad, my $answer, 1024);
    print 'status ', unpack('x4 L', $answer), "\n";
}

# struct ib_user_mad_hdr
sub addressed {
    my ($agent, $qpn, $lid, $grh, $index, $millis) = @_;
    my $route = pack 'C C C C C C a16 N', 0, 0, $grh, 0, 0, 0, bytes(16), 0;
    return pack('L L L L L N N n', $agent, 0, $millis // 100, 0, 0, $qpn, $qpn ? 0x80010000 : 0, $lid) . $route . pack('S a6', $index, '');
}

sub readable {
    my ($umad) = @_;
    vec(my $bits = '', fileno $umad, 1) = 1;
    return select($bits, undef, undef, 0);
}

sub agents {
    my ($device) = @_;
    open(my $umad, '+<:raw', "/dev/infiniband/$device") or die "$device: $!\n";
    syscall($SYS_IOCTL, fileno $umad, $ENABLE_PKEY, 0);
    return ($umad, map { agent($umad, $_) } 0, 1);
}

# struct ib_user_mad_reg_req
sub agent {
    my ($umad, $qpn) = @_;
    my $request = pack 'L L4 C C C a3 C', 0, 0, 0, 0, 0, $qpn, 0, 0, '', 0;
    syscall($SYS_IOCTL, fileno $umad, $REGISTER, $request) == 0 or die "cannot register at the agents: $!\n";
    return unpack 'L', $request;
}
