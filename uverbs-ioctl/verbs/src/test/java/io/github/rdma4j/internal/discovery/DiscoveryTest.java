// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.discovery;

import static io.github.rdma4j.testkit.ScriptedKernel.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.sysfs.DeviceNumber;
import io.github.rdma4j.internal.uverbs.DriverIds;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.support.Captured;
import io.github.rdma4j.support.SysfsTree;
import io.github.rdma4j.testkit.ScriptedKernel;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.GidEntry;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiscoveryTest {
    private static final long GUID = 0xe045acfffecad6d6L;
    private static final String GUID_TEXT = "e045:acff:feca:d6d6";
    private static final RdmaDevice RXE0 = new RdmaDevice(
            0,
            "rxe0",
            GUID,
            RdmaDevice.NodeType.CA,
            "roce",
            1,
            Optional.of("uverbs0"),
            DeviceNumber.of(231, 192),
            DriverIds.RDMA_DRIVER_RXE,
            "rxe",
            2);

    private final ScriptedKernel syscalls = new ScriptedKernel();
    private Kernel kernel;
    private SysfsTree sysfs;

    @TempDir
    Path root;

    @BeforeEach
    void mount() {
        kernel = syscalls.kernel(root);
        sysfs = new SysfsTree(root);
    }

    private ScriptedKernel expectNetlink() {
        return syscalls.expectSocket(16, 3, 20, 5).expectNonBlocking(5);
    }

    private void expectNoNetlink() {
        syscalls.expectSocket(16, 3, 20, refused(Errno.EPROTONOSUPPORT));
    }

    @Test
    void asksNetlinkForDevicesAndTheirNodes() throws Exception {
        expectNetlink()
                .expectWrite(5, Captured.GET_REQUEST)
                .expectRead(5, Captured.RXE0)
                .expectRead(5, Captured.DONE)
                .expectWrite(5, Captured.UVERBS_REQUEST)
                .expectRead(5, Captured.UVERBS0)
                .expectClose(5);
        assertThat(Discovery.list(kernel)).containsExactly(RXE0);
        assertThat(RXE0.requireUverbsName()).isEqualTo("uverbs0");
        syscalls.assertAllConsumed();
    }

    @Test
    void skipsMessagesOfAnotherConversation() throws Exception {
        byte[] stranger = Captured.RXE0.clone();
        stranger[8] = 99;
        byte[] noop = Captured.hex("10000000 0100 0000 01000000 00000000");
        expectNetlink()
                .expectWrite(5, Captured.GET_REQUEST)
                .expectRead(5, Captured.join(stranger, noop))
                .expectRead(5, Captured.DONE)
                .expectClose(5);
        assertThat(Discovery.list(kernel)).isEmpty();
        syscalls.assertAllConsumed();
    }

    @Test
    void takesTheNodeFromSysfsWhenNetlinkCannotTellIt() throws Exception {
        sysfs.withDevice("rxe0", GUID_TEXT, "uverbs3", "231:195");
        expectNetlink()
                .expectWrite(5, Captured.GET_REQUEST)
                .expectRead(5, Captured.join(Captured.RXE0, Captured.DONE))
                .expectWrite(5, Captured.UVERBS_REQUEST)
                .expectRead(5, Captured.error(2, 22))
                .expectClose(5);
        RdmaDevice device = Discovery.list(kernel).get(0);
        assertThat(device.index()).isZero();
        assertThat(device.uverbsName()).contains("uverbs3");
        assertThat(device.driverName()).isEqualTo("rxe");
        assertThat(device.driverAbi()).isEqualTo(2);
        syscalls.assertAllConsumed();
    }

    @Test
    void listsADeviceWithoutNode() throws Exception {
        expectNetlink()
                .expectWrite(5, Captured.GET_REQUEST)
                .expectRead(5, Captured.join(Captured.RXE0, Captured.DONE))
                .expectWrite(5, Captured.UVERBS_REQUEST)
                .expectRead(5, Captured.error(2, 2))
                .expectClose(5);
        RdmaDevice device = Discovery.list(kernel).get(0);
        assertThat(device.uverbsName()).isEmpty();
        assertThatThrownBy(device::requireUverbsName)
                .isInstanceOf(UnsupportedByKernelException.class)
                .hasMessageContaining("modprobe ib_uverbs");
    }

    @Test
    void readsSysfsWhereNetlinkDoesNotAnswer() throws Exception {
        sysfs.withDevice("rxe1", GUID_TEXT, "uverbs10", "231:202")
                .withDevice("mlx5_0", "0:0:0:1", "uverbs2", "231:194");
        expectNoNetlink();
        assertThat(Discovery.list(kernel))
                .containsExactly(
                        new RdmaDevice(
                                -1,
                                "rxe1",
                                GUID,
                                RdmaDevice.NodeType.CA,
                                "",
                                1,
                                Optional.of("uverbs10"),
                                DeviceNumber.of(231, 202),
                                DriverIds.RDMA_DRIVER_RXE,
                                "rxe",
                                2),
                        new RdmaDevice(
                                -1,
                                "mlx5_0",
                                1,
                                RdmaDevice.NodeType.CA,
                                "",
                                1,
                                Optional.of("uverbs2"),
                                DeviceNumber.of(231, 194),
                                DriverIds.RDMA_DRIVER_MLX5,
                                "mlx5",
                                2));
        syscalls.assertAllConsumed();
    }

    @Test
    void aKernelWithoutRdmaHasNoDevice() throws Exception {
        expectNoNetlink();
        assertThat(Discovery.list(kernel)).isEmpty();
    }

    @Test
    void saysWhatIsMalformedInSysfs() throws Exception {
        sysfs.withDevice("rxe0", "nonsense", "uverbs0", "231:192");
        expectNoNetlink();
        assertThatThrownBy(() -> Discovery.list(kernel))
                .isInstanceOf(MalformedReplyException.class)
                .hasMessageContaining("node_guid")
                .hasMessageContaining("nonsense");
    }

    @Test
    void closesTheSocketWhenAReplyIsMalformed() {
        expectNetlink()
                .expectWrite(5, Captured.GET_REQUEST)
                .expectRead(5, Captured.hex("ff000000 0114 0200 01000000 00000000"))
                .expectClose(5);
        assertThatThrownBy(() -> Discovery.list(kernel)).isInstanceOf(MalformedReplyException.class);
        syscalls.assertAllConsumed();
    }

    @Test
    void rejectsADeviceWithoutName() {
        expectNetlink()
                .expectWrite(5, Captured.GET_REQUEST)
                .expectRead(5, Captured.hex("18000000 0114 0200 01000000 00000000 0800 0100 00000000"))
                .expectRead(5, Captured.DONE)
                .expectClose(5);
        assertThatThrownBy(() -> Discovery.list(kernel)).hasMessageContaining("RDMA_NLDEV_ATTR_DEV_NAME");
    }

    @Test
    void saysThatAnAnswerWasLost() {
        expectNetlink()
                .expectWrite(5, Captured.GET_REQUEST)
                .expectRead(5, Captured.hex("10000000 0400 0000 01000000 00000000"))
                .expectClose(5);
        assertThatThrownBy(() -> Discovery.list(kernel))
                .isExactlyInstanceOf(RdmaException.class)
                .hasMessageContaining("RDMA_NLDEV_CMD_GET: the kernel lost part");
    }

    @Test
    void findsByName() throws Exception {
        sysfs.withDevice("rxe0", GUID_TEXT, "uverbs0", "231:192");
        expectNoNetlink();
        assertThat(Discovery.find(kernel, "rxe0").nodeGuid()).isEqualTo(GUID);
    }

    @Test
    void listsTheDevicesWhenTheNameIsWrong() throws Exception {
        sysfs.withDevice("rxe0", GUID_TEXT, "uverbs0", "231:192");
        expectNoNetlink();
        assertThatThrownBy(() -> Discovery.find(kernel, "rxe1"))
                .isInstanceOfSatisfying(
                        ErrnoException.class,
                        failure -> assertThat(failure.errno()).isEqualTo(Errno.ENODEV))
                .hasMessage("RDMA device rxe1: ENODEV (19) No such device. There is rxe0 (index -1, e045acfffecad6d6)");
        expectNoNetlink();
        Kernel empty = syscalls.kernel(root.resolve("empty"));
        assertThatThrownBy(() -> Discovery.find(empty, "rxe1")).hasMessageContaining("modprobe rdma_rxe");
    }

    private void expectRxe0() {
        expectNetlink()
                .expectWrite(5, Captured.GET_REQUEST)
                .expectRead(5, Captured.join(Captured.RXE0, Captured.DONE))
                .expectWrite(5, Captured.UVERBS_REQUEST)
                .expectRead(5, Captured.UVERBS0)
                .expectClose(5);
    }

    @Test
    void indexAndGuidMustBothFit() throws Exception {
        expectRxe0();
        assertThat(Discovery.findByGuid(kernel, 0, GUID)).isEqualTo(RXE0);
        expectRxe0();
        assertThat(Discovery.findByGuid(kernel, -1, GUID)).isEqualTo(RXE0);
        expectRxe0();
        assertThatThrownBy(() -> Discovery.findByGuid(kernel, 1, GUID))
                .hasMessageContaining("RDMA device with index 1 and node GUID e045acfffecad6d6: ENODEV");
        expectRxe0();
        assertThatThrownBy(() -> Discovery.findByGuid(kernel, 0, 1)).hasMessageContaining("ENODEV");
    }

    @Test
    void theGuidDecidesWhenSysfsHasNoIndex() throws Exception {
        sysfs.withDevice("rxe0", GUID_TEXT, "uverbs0", "231:192");
        expectNoNetlink();
        assertThat(Discovery.findByGuid(kernel, 7, GUID).name()).isEqualTo("rxe0");
    }

    @Test
    void gidTableHasThePopulatedSlots() throws Exception {
        sysfs.withDevice("rxe0", GUID_TEXT, "uverbs0", "231:192")
                .withGid("rxe0", 0, "fe80:0000:0000:0000:e045:acff:feca:d6d6", "RoCE v2", "veth0")
                .withGid("rxe0", 1, "0000:0000:0000:0000:0000:ffff:0a4d:0001", "IB/RoCE v1", "gone0")
                .withGid("rxe0", 2, "0000:0000:0000:0000:0000:0000:0000:0000", "", "")
                .withGid("rxe0", 10, "fd77:0000:0000:0000:0000:0000:0000:0001", "RoCE v2", "veth0")
                .with("class/net/veth0/ifindex", "3");
        assertThat(Discovery.gidTable(kernel, RXE0))
                .containsExactly(
                        new GidEntry(Gid.parse("fe80:0000:0000:0000:e045:acff:feca:d6d6"), 0, 1, 2, 3),
                        new GidEntry(Gid.parse("0000:0000:0000:0000:0000:ffff:0a4d:0001"), 1, 1, 1, 0),
                        new GidEntry(Gid.parse("fd77:0000:0000:0000:0000:0000:0000:0001"), 10, 1, 2, 3));
    }

    @Test
    void doesNotTakeTheWordOfSysfsWhenThereWasNoSocketToAskWith() throws Exception {
        sysfs.withDevice("rxe0", GUID_TEXT, "uverbs0", "231:192");
        syscalls.expectSocket(16, 3, 20, refused(Errno.EMFILE));
        assertThatThrownBy(() -> Discovery.list(kernel))
                .isInstanceOf(ErrnoException.class)
                .hasMessageContaining("EMFILE")
                .hasMessageContaining("ulimit -n");
        syscalls.expectSocket(16, 3, 20, refused(Errno.ENFILE));
        assertThatThrownBy(() -> Discovery.list(kernel))
                .isInstanceOf(ErrnoException.class)
                .hasMessageContaining("ENFILE")
                .hasMessageContaining("/proc/sys/fs/file-max");
    }

    @Test
    void namesEveryDriverLikeItsConstant() throws ReflectiveOperationException {
        for (Field field : DriverIds.class.getFields()) {
            assertThat("RDMA_DRIVER_" + DriverNames.name(field.getInt(null)).toUpperCase(Locale.ROOT))
                    .isEqualTo(field.getName());
        }
        assertThat(DriverNames.name(-1)).isEqualTo("driver -1");
        assertThat(DriverNames.name(20)).isEqualTo("driver 20");
    }
}
