// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.netlink.Neighbours;
import io.github.rdma4j.internal.netlink.Vlans;
import io.github.rdma4j.it.support.Netdev;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.support.Program;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** MAC addresses of neighbours, and VLANs, out of the kernel's tables; one host is in a namespace of its own. */
@RequiresKernel
class NeighboursKernelIT {
    private static final String NETDEV = "nb0";
    private static final String VLAN_NETDEV = "nb0.vlan";
    private static final String SPACE = "neighbour";
    private static final String HOST = "10.78.0.2";
    private static final String HOST6 = "fd78::2";
    private static final String MAC = "02:00:00:00:78:02";

    private Netdev netdev;
    private int index;

    @BeforeEach
    void makeNetwork() throws Exception {
        netdev = Netdev.dummy(NETDEV, "10.78.0.1/24");
        Program.run("ip", "netns", "add", SPACE);
        Program.run("ip", "link", "set", NETDEV + "p", "netns", SPACE);
        inSpace("link", "set", NETDEV + "p", "address", MAC);
        inSpace("address", "add", HOST + "/24", "dev", NETDEV + "p");
        inSpace("address", "add", HOST6 + "/64", "dev", NETDEV + "p", "nodad");
        inSpace("link", "set", NETDEV + "p", "up");
        Program.run("ip", "address", "add", "fd78::1/64", "dev", NETDEV, "nodad");
        index = NetworkInterface.getByName(NETDEV).getIndex();
    }

    @AfterEach
    void removeNetwork() throws Exception {
        netdev.close();
        Program.run("ip", "netns", "delete", SPACE);
    }

    private static void inSpace(String... words) throws InterruptedException {
        String[] command = new String[words.length + 3];
        command[0] = "ip";
        command[1] = "-n";
        command[2] = SPACE;
        System.arraycopy(words, 0, command, 3, words.length);
        Program.run(command);
    }

    private static String find(String host, int index) throws Exception {
        byte[] mac = Neighbours.hardwareAddress(Kernel.running(), InetAddress.getByName(host), index);
        return HexFormat.ofDelimiter(":").formatHex(mac);
    }

    @Test
    void asksAHostThatIsNotKnownYet() throws Exception {
        assertThat(find(HOST, index)).isEqualTo(MAC);
        assertThat(find(HOST, index)).isEqualTo(MAC);
    }

    @Test
    void asksAHostByIpv6() throws Exception {
        assertThat(find(HOST6, index)).isEqualTo(MAC);
    }

    @Test
    void findsTheInterfaceItself() throws Exception {
        assertThat(find(HOST, 0)).isEqualTo(MAC);
    }

    @Test
    void namesTheGatewayForAHostBehindIt() throws Exception {
        Program.run("ip", "route", "add", "10.79.0.0/24", "via", HOST);
        assertThat(find("10.79.0.9", index)).isEqualTo(MAC);
    }

    @Test
    void takesTheFixedAddressOfANeighbour() throws Exception {
        Program.run(
                "ip", "neigh", "add", "10.78.0.7", "lladdr", "02:00:00:00:00:07", "dev", NETDEV, "nud", "permanent");
        assertThat(find("10.78.0.7", index)).isEqualTo("02:00:00:00:00:07");
    }

    @Test
    void anAddressOfThisHostHasTheInterfacesOwn() throws Exception {
        byte[] own = Objects.requireNonNull(NetworkInterface.getByName(NETDEV).getHardwareAddress());
        assertThat(find("10.78.0.1", index))
                .isEqualTo(HexFormat.ofDelimiter(":").formatHex(own));
    }

    @Test
    void saysThatNobodyAnswers() {
        assertThatThrownBy(() -> find("10.78.0.99", index))
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EHOSTUNREACH))
                .hasMessageContaining("10.78.0.99");
    }

    @Test
    void saysThatThereIsNoWay() {
        assertThatThrownBy(() -> find("198.51.100.1", 0))
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENETUNREACH))
                .hasMessageContaining("198.51.100.1");
    }

    @Test
    void knowsTheVlanOfAnInterface() throws Exception {
        Program.run("ip", "link", "add", "link", NETDEV, "name", VLAN_NETDEV, "type", "vlan", "id", "291");
        // Java does not list an interface without an address.
        int ofVlan = Integer.parseInt(Files.readString(Path.of("/sys/class/net", VLAN_NETDEV, "ifindex"))
                .trim());
        assertThat(Vlans.of(Kernel.running(), ofVlan)).isEqualTo(291);
        assertThat(Vlans.of(Kernel.running(), index)).isEqualTo(-1);
        assertThat(Vlans.of(Kernel.running(), 0)).isEqualTo(-1);
        Program.run("ip", "link", "delete", VLAN_NETDEV);
    }

    @Test
    void anInterfaceThatIsNotThereHasNoVlan() {
        assertThatThrownBy(() -> Vlans.of(Kernel.running(), 9999))
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENODEV))
                .hasMessageContaining("RTM_GETLINK of interface 9999");
    }
}
