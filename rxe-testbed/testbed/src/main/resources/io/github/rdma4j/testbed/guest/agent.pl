#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# Process 1 of the guest once the host's file system is mounted. It makes the network and the rxe device, runs one
# command and relays its streams, signals and status over four ports to the launcher: virtio-serial ports of QEMU, or the
# devices that rdma4j_port.c makes in User Mode Linux.
#
# Perl because perl-base is essential on Debian, because it starts in a tenth of a JVM's time under emulation, and because
# a shell cannot carry an arbitrary argument vector and environment. No module is loaded: each costs tens of milliseconds.
#
# Control port, guest to host, one line each:   at NAME SECONDS | hello | ready | started SECONDS | alive
#                                               exit STATUS SIGNAL STDOUT_BYTES STDERR_BYTES OOM_KILLS | failed REASON
#                                               crash BYTES NAME + that many bytes: the report of a JVM that crashed
# Control port, host to guest:                  command BYTES + that many bytes: the command
#                                               signal NUMBER process|group | close 1|2
#                                               go, the answer to ready, which only nodes of several send
use strict;
use warnings;
use Config;

# The numbers of system calls differ between arm64 and x86-64.
my $arm64 = $Config{archname} =~ /^aarch64/;
my ($SYS_SETSID, $SYS_MOUNT, $SYS_UMOUNT2, $SYS_SETHOSTNAME, $SYS_EXIT_GROUP) =
    $arm64 ? (157, 40, 39, 161, 94) : (112, 165, 166, 170, 231);
my ($MS_NOSUID, $MS_NODEV, $MS_BIND, $MNT_DETACH) = (2, 4, 4096, 2);
my ($ENOENT, $EINTR, $EAGAIN) = (2, 4, 11);
my ($F_SETFL, $O_NONBLOCK) = (4, 2048);
my $ALIVE_SECONDS = 5;
my @PORTS = qw(control stdin stdout stderr);
my $CHUNK = 65536;
my ($MOST_DIRECTORIES, $MOST_REPORTS, $LONGEST_REPORT) = (10000, 8, 1 << 20);

my $loading = shift @ARGV;
my ($control, $control_buffer, $last_report) = (undef, '', 0);
chomp(my $kernel = slurp('/proc/sys/kernel/osrelease'));
my $uml = slurp('/proc/cmdline') =~ / rdma4j\.machine=uml\b/;
my ($devices) = (slurp('/proc/cmdline') =~ / rdma4j\.devices=(\w+)/, 'rxe');
# The number of this guest among several on one Ethernet; 0 if it is alone.
my ($node) = (slurp('/proc/cmdline') =~ / rdma4j\.node=(\d+)/, 0);
# The number of ports of the InfiniBand device.
my ($ib_ports) = (slurp('/proc/cmdline') =~ / rdma4j\.ports=(\d+)/, 1);
my $netdev = $node || $devices eq 'pvrdma' ? 'eth0' : 'veth0';
my $host_part = $node || 1;
# The number of files of the host that User Mode Linux may have open, and the number at which it drops its caches.
my ($files) = (slurp('/proc/cmdline') =~ / rdma4j\.files=(\d+)/, 0);
my ($many_files, $forgot) = ($files / 2, 0);
# Opening a tenth of them takes longer than this.
my $look_every = $files && $files < 200_000 ? $files / 40_000 : $ALIVE_SECONDS;
$ENV{PATH} = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
$SIG{PIPE} = 'IGNORE';
spew('/proc/self/oom_score_adj', -1000);

$control = open_port(1);
eval { main(); 1 } or do {
    my $reason = "$@";
    $reason =~ s/\s+/ /g;
    report("failed $reason");
    sleep 10;
};
power_off();

sub main {
    report('hello');
    my $command = read_command();
    my @ports = map { open_port($_) } 2 .. 4;
    at('agent');
    prepare_system($command);
    at('mounts');
    if ($devices ne 'none') {
        make_network();
        at('network');
        my %make = (siw => \&make_siw, pvrdma => \&make_pvrdma, ib => \&make_ib);
        ($make{$devices} // \&make_rxe)->();
        at($devices);
    }
    await_nodes($command) if $node;
    run($command, @ports);
}

# ---- control port -------------------------------------------------------------------------------------------------

sub report {
    my ($line) = @_;
    write_all($control, "$line\n");
    $last_report = time;
}

sub at {
    my ($stage) = @_;
    report("at $stage " . uptime());
}

sub uptime {
    return (split / /, slurp('/proc/uptime'))[0];
}

# A port can be opened only once, so every port is one read-write descriptor, kept for the guest's life.
sub open_port {
    my ($number) = @_;
    for (1 .. 1000) {
        opendir(my $dir, '/dev') or die "no /dev: $!\n";
        my ($name) = grep { /^vport\d+p$number$/ || $_ eq "rdma4j-$PORTS[$number - 1]" } readdir $dir;
        my $port = $name ? open_read_write("/dev/$name") : undef;
        return $port if $port;
        select(undef, undef, undef, 0.005);
    }
    die "cannot open port $number: $!\n";
}

sub open_read_write {
    my ($path) = @_;
    open(my $file, '+<:raw', $path) or return undef;
    return $file;
}

sub control_line {
    while (1) {
        return $1 if $control_buffer =~ s/^([^\n]*)\n//;
        fill_control_buffer();
    }
}

# End of file means that the launcher has ended, so no report is needed.
sub fill_control_buffer {
    my $got = sysread($control, $control_buffer, $CHUNK, length $control_buffer);
    power_off() if defined $got && $got == 0;
    die "control port: $!\n" if !defined $got && $! != $EINTR;
}

sub read_command {
    my $line = control_line();
    my ($bytes) = $line =~ /^command (\d+)$/ or die "unexpected control line: $line\n";
    fill_control_buffer() while length $control_buffer < $bytes;
    my @fields = split /\0/, substr($control_buffer, 0, $bytes, ''), -1;
    my %command = (directory => shift @fields, modules => shift @fields);
    for my $list (qw(shares arguments environment)) {
        $command{$list} = [splice @fields, 0, shift @fields];
    }
    return \%command;
}

# ---- system -------------------------------------------------------------------------------------------------------

sub prepare_system {
    my ($command) = @_;
    name_this_machine();
    mkdir "/dev/$_" for qw(pts shm);
    mount('devpts', '/dev/pts', 'devpts', 0, 'gid=5,mode=620,ptmxmode=666');
    mount('shm', '/dev/shm', 'tmpfs', $MS_NOSUID | $MS_NODEV, 'mode=1777');
    symlink "/proc/self/fd$$_[1]", "/dev/$$_[0]" for ['fd', ''], ['stdin', '/0'], ['stdout', '/1'], ['stderr', '/2'];
    mkdir '/run/lock';

    # The host may hold a directory of this name (a headers package makes one) that knows nothing of these modules.
    mkdir "/usr/lib/modules";
    mkdir "/usr/lib/modules/$kernel";
    mount($command->{modules}, "/usr/lib/modules/$kernel", 'none', $MS_BIND, 0);

    show_processor_speed() if $uml;
    my $tag = 0;
    for my $share (@{ $command->{shares} }) {
        if ($uml) {
            mount('share', $share, 'hostfs', 0, $share);
            next;
        }
        # cache=mmap reads and writes through, so both sides see each other's files, and still lets a JVM map them.
        mount('share' . $tag++, $share, '9p', 0, 'trans=virtio,version=9p2000.L,msize=1048576,cache=mmap');
    }
    # Nobody mounts further directories of the host.
    !$uml || spew('/sys/module/rdma4j_port/parameters/seal', 1) or die "cannot seal hostfs: $!\n";
}

# Programs look up their own name. The file of the host may be a link into /run, and the lines of the host stay: the first
# line with a name counts.
sub name_this_machine {
    my $name = 'rdma4j-guest';
    syscall($SYS_SETHOSTNAME, $name, length $name);
    my $address = $devices eq 'none' ? '127.0.0.1' : "10.77.0.$host_part";
    my $hosts = "127.0.0.1\tlocalhost\n$address\t$name\n" . (slurp('/etc/hosts') // '');
    unlink '/etc/hosts';
    spew('/etc/hosts', $hosts);
}

# The processor of User Mode Linux says nothing of its speed, which programs that count cycles look for.
sub show_processor_speed {
    my ($megahertz) = slurp('/proc/cmdline') =~ / rdma4j\.mhz=([\d.]+)/ or return;
    my $text = slurp('/proc/cpuinfo');
    $text =~ s/^(model name\s*:.*)$/$1\ncpu MHz\t\t: $megahertz/m;
    spew('/run/rdma4j/cpuinfo', $text);
    mount('/run/rdma4j/cpuinfo', '/proc/cpuinfo', 'none', $MS_BIND, 0);
}

sub mount {
    my ($source, $target, $type, $flags, $options) = @_;
    syscall($SYS_MOUNT, $source, $target, $type, $flags, $options) == 0 or die "cannot mount $source on $target: $!\n";
}

# rxe has a separate veth pair: on a real interface rdma_cm might pick a hardware function of the interface.
# Addresses are valid at once (no duplicate address detection); otherwise binding to them fails for the first second.
sub make_network {
    wait_for_modules();
    at('modules');
    spew("/proc/sys/net/ipv6/conf/$_/accept_dad", 0) for qw(all default);
    my $links = $node ? node_links() : $devices eq 'pvrdma' ? pvrdma_links() : <<'END';
link add veth0 type veth peer name veth1
link set veth1 up
END
    pipe_to([qw(ip -batch -)], "link set lo up\n${links}" . ($devices eq 'ib' ? '' : addresses($netdev)));
}

sub addresses {
    my ($interface) = @_;
    return <<"END";
link set $interface up
addr add 10.77.0.$host_part/24 dev $interface
addr add fd77::$host_part/64 dev $interface nodad
route add 224.0.0.0/4 dev $interface
END
}

# The Ethernet between the nodes, and a second one for commands, which faults put on the first leave alone. IPv6 stays off
# there: rxe has no business with it.
sub node_links {
    my $ethernet = netdev_of('52:54:00:4d:00');
    my $control = netdev_of('52:54:00:4d:01');
    spew("/proc/sys/net/ipv6/conf/$control/disable_ipv6", 1);
    my $rename = $ethernet eq 'eth0' ? '' : "link set $ethernet name eth0\n";
    $rename = 'link set ' . netdev_of('52:54:00:4d:02') . " name second\n${rename}link set second name eth1\n" if $ib_ports > 1;
    return <<"END";
link set $control name ctl0
${rename}link set ctl0 up
addr add 10.79.0.$node/24 dev ctl0
END
}

# The network device of QEMU's pvrdma is the only one: the kernel names it eth0.
sub pvrdma_links {
    system(qw(modprobe vmxnet3)) == 0 or die "vmxnet3 does not load\n";
    return '';
}

sub netdev_of {
    my ($mac_prefix) = @_;
    opendir(my $dir, '/sys/class/net') or die "no /sys/class/net: $!\n";
    my ($name) = grep { (slurp("/sys/class/net/$_/address") // '') =~ /^$mac_prefix/ } readdir $dir;
    return $name // die "no network device with an address of $mac_prefix\n";
}

sub wait_for_modules {
    # Its status may be lost: the shell before this program waits for it too, if it ends early.
    waitpid($loading, 0);
    my @missing = grep { !-d "/sys/module/$_" } qw(ib_uverbs rdma_rxe rdma_ucm ib_umad);
    die "RDMA modules do not load: @missing\n" if @missing;
}

sub make_rxe {
    system(qw(rdma link add rxe0 type rxe netdev), $netdev) == 0 or die "rdma link add fails\n";
    my $port = '/sys/class/infiniband/rxe0/ports/1';
    my @wanted = map { sprintf $_, $host_part } '0000:0000:0000:0000:0000:ffff:0a4d:%04x', 'fd77:0000:0000:0000:0000:0000:0000:%04x';
    for (1 .. 1000) {
        my %gids = map { (slurp("$port/gids/$_") // '') =~ /(\S+)/ ? ($1 => 1) : () } 0 .. 9;
        return if (slurp("$port/state") // '') =~ /ACTIVE/ && -e '/dev/infiniband/uverbs0' && 2 == grep { $gids{$_} } @wanted;
        select(undef, undef, undef, 0.01);
    }
    die "rxe0 does not become active with its IPv4 and IPv6 GIDs\n";
}

# InfiniBand in software (softib.c). A node is connected to the switch in the launcher, or with another node; one node alone
# has an adapter at each end of its veth pair, or the two ports of its adapter. The Ethernet below has no addresses: they are
# those of IPoIB.
sub make_ib {
    my $module = argument('module');
    # The driver rxe of Debian's kernels knows no InfiniBand.
    !$module || system(qw(rmmod rdma_rxe)) == 0 && system('insmod', $module) == 0 or die "rdma_rxe with InfiniBand does not load\n";
    system(qw(modprobe ib_ipoib)) == 0 or die "ib_ipoib does not load\n";
    my @ends = !$node ? qw(veth0 veth1) : $ib_ports > 1 ? qw(eth0 eth1) : ('eth0');
    for my $number (0 .. $#ends) {
        spew("/proc/sys/net/ipv6/conf/$ends[$number]/disable_ipv6", 1);
        my @mac = $node ? () : ('address', "52:54:00:4d:00:0" . ($number + 1));
        system(qw(ip link set), $ends[$number], @mac, qw(mtu 4200 up)) == 0 or die "$ends[$number] takes no packets of InfiniBand\n";
        add_adapter("softib$number", $ends[$number]) if $ib_ports == 1;
    }
    if ($ib_ports > 1) {
        add_adapter("softib0+$ends[1]", $ends[0]);
        # Both ports are on one subnet, and each answers for its own address only.
        spew("/proc/sys/net/ipv4/conf/all/$$_[0]", $$_[1]) for ['arp_ignore', 1], ['arp_announce', 2];
    }
    await_ports('finds no other end of its link', qr/INIT|ARMED|ACTIVE/);
    at('link');
    # The node with the subnet manager; 0 if nobody starts one.
    my $manager = argument('manager') // 1;
    my $home = argument('opensm');
    prepare_manager($home) if $home;
    $manager != $host_part || system(qw(sh /run/opensm/start)) == 0 or die "the subnet manager does not start\n";
    await_ports('is not made active by a subnet manager', qr/ACTIVE/) if $manager;
    at('subnet');
    spew('/run/rdma4j/ib0', addresses('ib0') . ($ib_ports > 1 ? addresses_of_second('ib1') : ''));
    system(qw(ip -batch /run/rdma4j/ib0)) == 0 or die "ib0 takes no addresses\n";
    for (1 .. 3000) {
        my $joined = !$manager || $ib_ports == grep { (slurp("/sys/class/net/$_/carrier") // '') =~ /1/ } qw(ib0 ib1)[0 .. $ib_ports - 1];
        return if $joined && -e '/dev/infiniband/uverbs0';
        select(undef, undef, undef, 0.01);
    }
    die "ib0 does not join the group of its subnet\n";
}

sub add_adapter {
    my ($name, $ethernet) = @_;
    system(qw(rdma link add), $name, qw(type softib netdev), $ethernet) == 0 or die "rdma link add fails\n";
    my ($device) = $name =~ /^([^+]+)/;
    spew("/sys/class/infiniband/$device/node_desc", "node$host_part $device");
}

sub addresses_of_second {
    my ($interface) = @_;
    return <<"END";
link set $interface up
addr add 10.78.0.$host_part/24 dev $interface
addr add fd78::$host_part/64 dev $interface nodad
END
}

sub await_ports {
    my ($problem, $wanted) = @_;
    for (1 .. 3000) {
        return if $ib_ports == grep { (slurp("/sys/class/infiniband/softib0/ports/$_/state") // '') =~ $wanted } 1 .. $ib_ports;
        select(undef, undef, undef, 0.01);
    }
    die "softib0 $problem: " . (slurp('/run/opensm/output') // '') . "\n";
}

# A subnet manager has its files in /run/opensm; the script there starts it, with more arguments.
sub prepare_manager {
    my ($home) = @_;
    mkdir '/run/opensm';
    spew('/run/opensm/opensm.conf', "\n");
    spew('/run/opensm/partitions.conf', "Default=0x7fff, ipoib: ALL=full;\n");
    # No switch tells the manager of a link that has come up, if there is none. The script ends when the manager has left the
    # process group of the script: a node kills the group of a command that has ended.
    my $sweep = $node ? 5 : 1;
    spew('/run/opensm/start', <<"END");
cd /run/opensm
rm -f log
export OSM_TMP_DIR=\$PWD OSM_CACHE_DIR=\$PWD LD_LIBRARY_PATH='$home/usr/lib/x86_64-linux-gnu:$home/lib/x86_64-linux-gnu'
setsid '$home/usr/sbin/opensm' -d 2 -s $sweep -f log -F opensm.conf -P partitions.conf "\$@" > output 2>&1 < /dev/null &
echo \$! > pid
while read -r _ _ _ _ group _ < /proc/\$!/stat && [ \$group != \$! ]; do sleep 0.01; done 2>&-
END
}

# Debian builds no siw: the testbed has built the module (BuiltModule.java), and it lies in the host's cache. The kernel of
# User Mode Linux has the module.
sub make_siw {
    my $module = argument('module');
    my $loaded = $module ? system(qw(modprobe -a iw_cm libcrc32c)) == 0 && system('insmod', $module) == 0 : system(qw(modprobe siw)) == 0;
    $loaded or die "siw does not load\n";
    system(qw(rdma link add siw0 type siw netdev), $netdev) == 0 or die "rdma link add fails\n";
    for (1 .. 1000) {
        return if (slurp('/sys/class/infiniband/siw0/ports/1/state') // '') =~ /ACTIVE/ && -e '/dev/infiniband/uverbs0';
        select(undef, undef, undef, 0.01);
    }
    die "siw0 does not become active\n";
}

# QEMU looks for the GID of every message that it sends, and for the first one with queue pairs that are connected: none
# may be sent before there is one.
sub make_pvrdma {
    my $module = argument('module') or die "no module of pvrdma\n";
    system('insmod', $module) == 0 or die "vmw_pvrdma does not load\n";
    my $port = '/sys/class/infiniband/vmw_pvrdma0/ports/1';
    for (1 .. 1000) {
        my @gids = map { (slurp("$port/gids/$_") // '') =~ /[1-9a-f]/ ? $_ : () } 0 .. 9;
        return if (slurp("$port/state") // '') =~ /ACTIVE/ && -e '/dev/infiniband/uverbs0' && @gids >= 3 && $gids[0] == 0;
        select(undef, undef, undef, 0.01);
    }
    die "vmw_pvrdma0 does not become active with its GIDs\n";
}

# No command starts before every node has its network and device.
sub await_nodes {
    my ($command) = @_;
    push @{ $command->{environment} }, "RDMA4J_NODE=$node";
    mkdir '/usr/local/bin';
    symlink '/run/rdma4j/node.pl', '/usr/local/bin/testbed-node';
    report('ready');
    my $line = control_line();
    $line eq 'go' or die "unexpected control line: $line\n";
    at('nodes');
}

# ---- command ------------------------------------------------------------------------------------------------------

sub run {
    my ($command, @ports) = @_;
    # The command gets pipes and not the ports, because a port cannot be opened a second time and commands do open
    # /dev/stdout or /dev/stdin.
    my (@command_side, @our_side);
    for my $fd (0 .. 2) {
        pipe(my $reader, my $writer) or die "pipe: $!\n";
        push @command_side, $fd ? $writer : $reader;
        push @our_side, $fd ? $reader : $writer;
    }
    pipe(my $status_reader, my $status_writer) or die "pipe: $!\n";
    my $supervisor = fork;
    die "fork: $!\n" unless defined $supervisor;
    if ($supervisor == 0) {
        # Else the command would never see the end of its input, nor a broken pipe.
        close $_ for @our_side;
        supervise($command, $status_writer, \@command_side);
    }
    close $_ for @command_side, $status_writer;
    # A command that does not read its input must not stop this process from relaying its output.
    fcntl($our_side[0], $F_SETFL, $O_NONBLOCK);

    # From here on children that nobody waits for are the orphans of process 1; the kernel reaps them.
    $SIG{CHLD} = 'IGNORE';
    my @relays = (
        { from => $ports[0], to => $our_side[0], buffer => '', bytes => 0 },
        map { { from => $our_side[$_], to => $ports[$_], buffer => '', bytes => 0 } } 1, 2
    );
    my $status = relay($status_reader, \@relays);
    finish($command, $status, @relays);
}

# Only its parent can wait for the status of a child, and a loop over select cannot wait for children without a race. So a
# separate process waits and turns the end of the command into a line on a pipe.
sub supervise {
    my ($command, $status_writer, $descriptors) = @_;
    my $child = fork;
    die "fork: $!\n" unless defined $child;
    start($command, $status_writer, $descriptors) if $child == 0;
    close $_ for @$descriptors;
    waitpid($child, 0);
    write_all($status_writer, 'exit ' . ($? >> 8) . ' ' . ($? & 127) . "\n");
    leave(0);
}

sub start {
    my ($command, $status_writer, $descriptors) = @_;
    # A new session gives the command a process group to which terminal signals are sent.
    syscall($SYS_SETSID);
    spew('/proc/self/oom_score_adj', 0);
    $SIG{PIPE} = 'DEFAULT';
    open(STDIN, '<&=', fileno $descriptors->[0]) && open(STDOUT, '>&', $descriptors->[1]) && open(STDERR, '>&', $descriptors->[2])
        or leave(125);
    %ENV = map { /^([^=]+)=(.*)$/s ? ($1 => $2) : () } @{ $command->{environment} };
    chdir $command->{directory} or refuse(125, "cannot enter $command->{directory}: $!");
    write_all($status_writer, "started $$\n");
    no warnings 'exec';
    exec { $command->{arguments}[0] } @{ $command->{arguments} };
    refuse($! == $ENOENT ? 127 : 126, "cannot run $command->{arguments}[0]: $!");
}

sub refuse {
    my ($status, $reason) = @_;
    syswrite(STDERR, "rdma4j: $reason\n");
    leave($status);
}

# Leaves without perl's clean-up, which would touch descriptors that belong to the parent as well.
sub leave {
    my ($status) = @_;
    syscall($SYS_EXIT_GROUP, $status);
}

# Moves bytes until the command has ended and its pipes are drained. Does not wait for the end of the pipes: a daemon that
# the command left behind may hold them open.
sub relay {
    my ($status_reader, $relays) = @_;
    my ($pid, $ended, $turns);
    while (1) {
        my ($readable, $writable) = ('', '');
        vec($readable, fileno $control, 1) = 1;
        vec($readable, fileno $status_reader, 1) = 1 unless $ended;
        for my $relay (grep { !$_->{closed} } @$relays) {
            vec($readable, fileno $relay->{from}, 1) = 1 if $relay->{buffer} eq '';
            vec($writable, fileno $relay->{to}, 1) = 1 if $relay->{buffer} ne '';
        }
        my $pending = grep { !$_->{closed} && $_->{buffer} ne '' } @$relays[1, 2];
        # Output that a command wrote before its end may have come after a look that found its begin only.
        my $had_ended = $ended;
        my $found = select($readable, $writable, undef, $ended && !$pending ? 0 : $look_every);
        report('alive') if time - $last_report >= $ALIVE_SECONDS;
        # Not each time when there is much to move: it takes as long as moving some of it.
        forget_files() if $files && !$ended && ($found <= 0 || ++$turns % 256 == 0);
        if ($found <= 0) {
            return $ended if $ended && !$pending;
            next;
        }
        my $moved = 0;
        for my $relay (grep { !$_->{closed} } @$relays) {
            $moved += move($relay, $readable, $writable);
        }
        if (!$ended && vec($readable, fileno $status_reader, 1)) {
            ($pid, $ended) = read_status($status_reader, $pid);
            close_relay($relays->[0]) if $ended;
        }
        handle_control($pid, $relays) if vec($readable, fileno $control, 1);
        return $ended if $had_ended && !$pending && !$moved;
    }
}

# The kernel of User Mode Linux has a file of the host open for each file and directory that was opened in the guest and is still in its
# cache, and the cache knows nothing of the host's limit. At the limit no process can be started.
sub forget_files {
    my ($known) = whole('/proc/slabinfo') =~ /^hostfs_inode_info\s+(\d+)/m or return;
    my $many = $known >= $many_files;
    if ($many && $forgot) {
        # Dropping takes a moment; the files that are left now are in use.
        $many_files = ($known + $files) / 2;
        spew('/dev/kmsg', "<3>rdma4j: programs hold $known files of the host, which lets this guest have $files (ulimit -n)\n");
    } elsif ($many) {
        spew('/proc/sys/vm/drop_caches', 2);
    } elsif ($known < $files / 2) {
        $many_files = $files / 2;
    }
    $forgot = $many;
}

sub move {
    my ($relay, $readable, $writable) = @_;
    if ($relay->{buffer} ne '') {
        return 0 unless vec($writable, fileno $relay->{to}, 1);
        my $written = syswrite($relay->{to}, $relay->{buffer});
        if (!defined $written) {
            close_relay($relay) unless $! == $EAGAIN || $! == $EINTR;
            return 0;
        }
        substr($relay->{buffer}, 0, $written, '');
        $relay->{bytes} += $written;
        return 1;
    }
    return 0 unless vec($readable, fileno $relay->{from}, 1);
    my $got = sysread($relay->{from}, $relay->{buffer}, $CHUNK);
    close_relay($relay) if !$got;
    return 1;
}

# The command sees the end of its input, or a broken pipe where it writes. The ports stay open: one cannot be reopened.
sub close_relay {
    my ($relay) = @_;
    return if $relay->{closed}++;
    $relay->{buffer} = '';
    for my $end (qw(from to)) {
        close $relay->{$end} if -p $relay->{$end};
    }
}

sub read_status {
    my ($status_reader, $pid) = @_;
    my $line = '';
    sysread($status_reader, $line, 256);
    if ($line =~ /^started (\d+)$/m) {
        $pid = $1;
        report('started ' . uptime());
    }
    return ($pid, $line =~ /^exit (.*)$/m ? $1 : undef);
}

sub handle_control {
    my ($pid, $relays) = @_;
    fill_control_buffer();
    while ($control_buffer =~ s/^([^\n]*)\n//) {
        my $line = $1;
        if ($line =~ /^signal (\d+) (process|group)$/ && $pid) {
            kill($1, $2 eq 'group' ? -$pid : $pid);
        } elsif ($line =~ /^close ([12])$/) {
            close_relay($relays->[$1]);
        }
    }
}

# Nothing may write to a share any more when the host is told the status: it ends this machine as soon as it has it.
sub finish {
    my ($command, $status, @relays) = @_;
    at('ended');
    kill 'KILL', -1;
    unmount($_) for reverse @{ $command->{shares} };
    report_crashes('/run/rdma4j/written');
    my ($kills) = (slurp('/proc/vmstat') // '') =~ /^oom_kill (\d+)$/m;
    report(join ' ', 'exit', $status, $relays[1]{bytes}, $relays[2]{bytes}, $kills // 0);
    # The host reads the remaining bytes and then ends this machine; a hang-up of the host also ends the wait.
    fill_control_buffer() while 1;
}

# HotSpot leaves its report in the working directory, which is gone with this machine unless it is a share.
sub report_crashes {
    my @open = @_;
    my $found = 0;
    for (my $looked = 0; @open && $looked < $MOST_DIRECTORIES; $looked++) {
        my $path = shift @open;
        opendir(my $dir, $path) or next;
        for my $name (grep { !/^\.\.?$/ } readdir $dir) {
            next if -l "$path/$name";
            push @open, "$path/$name" if -d _;
            next unless -f _ && $name =~ /^hs_err_pid\d+\.log$/ && $found++ < $MOST_REPORTS;
            my $text = whole("$path/$name");
            report('crash ' . length($text) . " $name");
            write_all($control, $text);
        }
    }
}

sub whole {
    my ($path) = @_;
    open(my $file, '<:raw', $path) or return '';
    my $text = '';
    1 while length $text < $LONGEST_REPORT && sysread($file, $text, $CHUNK, length $text);
    return $text;
}

# Busy until the last of the killed processes is gone.
sub unmount {
    my ($path) = @_;
    for (1 .. 200) {
        return if syscall($SYS_UMOUNT2, $path, 0) == 0;
        select(undef, undef, undef, 0.01);
    }
    syscall($SYS_UMOUNT2, $path, $MNT_DETACH);
}

# ---- small things -------------------------------------------------------------------------------------------------

sub pipe_to {
    my ($arguments, $input) = @_;
    open(my $pipe, '|-', @$arguments) or die "cannot run $arguments->[0]: $!\n";
    print $pipe $input;
    close $pipe or die "@$arguments fails\n";
}

sub write_all {
    my ($handle, $bytes) = @_;
    while (length $bytes) {
        my $written = syswrite($handle, $bytes);
        die "write: $!\n" if !defined $written && $! != $EINTR && $! != $EAGAIN;
        substr($bytes, 0, $written // 0, '');
    }
}

# A file that the kernel's command line names; see Devices.java.
sub argument {
    my ($name) = @_;
    my ($value) = slurp('/proc/cmdline') =~ / rdma4j\.$name=(\S+)/ or return undef;
    $value =~ s/%([0-9A-F]{2})/chr hex $1/ge;
    return $value;
}

sub slurp {
    my ($path) = @_;
    open(my $file, '<', $path) or return undef;
    sysread($file, my $text, $CHUNK);
    return $text;
}

sub spew {
    my ($path, $text) = @_;
    open(my $file, '>', $path) or return 0;
    return syswrite($file, $text);
}

sub power_off {
    spew('/proc/sysrq-trigger', 'o');
    sleep 60;
}
