// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.discovery.Discovery;
import io.github.rdma4j.it.support.OpenResources;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.verbs.AsyncEvent;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.RdmaDevices;
import io.github.rdma4j.verbs.attr.AsyncEventType;
import io.github.rdma4j.verbs.attr.DeviceAttr;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.GidEntry;
import io.github.rdma4j.verbs.attr.PortAttr;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Finding devices and asking them what they are. */
@RequiresKernel
class DeviceKernelIT {
    private static DeviceContext open() throws Exception {
        return DeviceContext.open(Rxe.DEVICE);
    }

    @Test
    void listsTheDeviceAsSysfsDescribesIt() throws Exception {
        RdmaDevice device = Rxe.device();
        Path sysfs = Path.of("/sys/class/infiniband", Rxe.DEVICE);
        String guid = Files.readString(sysfs.resolve("node_guid")).strip().replace(":", "");
        assertThat(device.nodeGuid()).isEqualTo(Long.parseUnsignedLong(guid, 16));
        assertThat(device.driverName()).isEqualTo("rxe");
        assertThat(device.protocol()).isEqualTo("roce");
        assertThat(device.portCount()).isEqualTo(1);
        assertThat(RdmaDevices.hasDataPath(device)).isTrue();
        String uverbs = device.requireUverbsName();
        assertThat(Files.readString(Path.of("/sys/class/infiniband_verbs", uverbs, "ibdev"))
                        .strip())
                .isEqualTo(Rxe.DEVICE);
    }

    @Test
    void findsTheSameDeviceByItsGuid() throws Exception {
        RdmaDevice device = Rxe.device();
        assertThat(Discovery.findByGuid(Kernel.running(), device.index(), device.nodeGuid()))
                .isEqualTo(device);
        assertThat(Discovery.findByGuid(Kernel.running(), -1, device.nodeGuid()))
                .isEqualTo(device);
    }

    @Test
    void listsTheDevicesWhenADeviceIsNotFound() {
        assertThatThrownBy(() -> DeviceContext.open("mlx5_7"))
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENODEV))
                .hasMessageContaining("mlx5_7")
                .hasMessageContaining(Rxe.DEVICE);
    }

    @Test
    void opensTheDevice() throws Exception {
        try (DeviceContext context = open()) {
            assertThat(context.completionVectors()).isPositive();
            assertThat(context.device()).isEqualTo(Rxe.device());
        }
    }

    @Test
    void knowsTheLimitsOfTheDevice() throws Exception {
        try (DeviceContext context = open()) {
            DeviceAttr limits = context.queryDevice();
            assertThat(limits.nodeGuid()).isEqualTo(Rxe.device().nodeGuid());
            assertThat(limits.maxQpRdAtom()).isPositive();
            assertThat(limits.maxSge()).isPositive();
            assertThat(limits.maxCqe()).isEqualTo(32767);
        }
    }

    @Test
    void knowsTheStateOfThePortAsCDoes() throws Exception {
        String devinfo = Program.run("ibv_devinfo", "-d", Rxe.DEVICE);
        try (DeviceContext context = open()) {
            PortAttr port = context.queryPort(1);
            assertThat(port.state()).isEqualTo(PortAttr.State.ACTIVE);
            assertThat(devinfo).containsPattern("state:\\s+PORT_ACTIVE \\(4\\)");
            assertThat(devinfo).containsPattern("active_mtu:\\s+\\d+ \\(" + port.rawActiveMtu() + "\\)");
            assertThat(Integer.toUnsignedLong(port.maxMsgSz()))
                    .as("2 GiB on 6.12")
                    .isPositive();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 255, 256, -1, Integer.MAX_VALUE})
    void refusesAPortThatDoesNotExist(int port) throws Exception {
        try (DeviceContext context = open()) {
            assertThatThrownBy(() -> context.queryPort(port))
                    .isInstanceOfAny(ErrnoException.class, IllegalArgumentException.class);
        }
    }

    @Test
    void hasAGidForEachAddressOfTheNetdev() throws Exception {
        NetworkInterface netdev = NetworkInterface.getByName(Rxe.NETDEV);
        List<Gid> expected = netdev.inetAddresses().map(Gid::of).toList();
        try (DeviceContext context = open()) {
            List<GidEntry> entries = context.queryGids();
            assertThat(entries).extracting(GidEntry::gid).containsAll(expected);
            assertThat(entries)
                    .extracting(GidEntry::gid)
                    .contains(Gid.of(InetAddress.getByName(Rxe.IPV4)), Gid.of(InetAddress.getByName(Rxe.IPV6)));
            assertThat(entries).extracting(GidEntry::netdevIfindex).containsOnly(netdev.getIndex());
            assertThat(entries).extracting(GidEntry::portNum).containsOnly(1);
        }
    }

    @Test
    void reportsAGidThatComesWithAnAddress() throws Exception {
        try (DeviceContext context = open()) {
            Program.run("ip", "address", "add", "10.77.7.7/32", "dev", Rxe.NETDEV);
            try {
                assertThat(context.awaitAsyncEvent(Await.LIMIT))
                        .map(AsyncEvent::type)
                        .contains(AsyncEventType.GID_CHANGE);
            } finally {
                Program.run("ip", "address", "delete", "10.77.7.7/32", "dev", Rxe.NETDEV);
            }
        }
    }

    @Test
    void waitsForAsynchronousEventsAsLongAsAsked() throws Exception {
        try (DeviceContext context = open()) {
            Optional<AsyncEvent> none = context.awaitAsyncEvent(Duration.ofMillis(50));
            assertThat(none).isEmpty();
        }
    }

    @Test
    void opensTheSameDeviceManyTimesAndLeavesNothing() throws Exception {
        int before = OpenResources.now().size();
        for (int i = 0; i < 20; i++) {
            open().close();
        }
        assertThat(OpenResources.now()).hasSize(before);
    }
}
