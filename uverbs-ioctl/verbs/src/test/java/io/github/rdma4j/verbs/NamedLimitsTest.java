// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import static io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.Gid;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A refused region or address names the number, and what the device accepts. */
class NamedLimitsTest {
    private static final int BYTES = 4096;

    /** The numbers of an address, in order. */
    private static final List<String> NUMBERS = List.of(
            "flowLabel", "sgidIndex", "hopLimit", "trafficClass", "dlid", "sl", "srcPathBits", "staticRate", "portNum");

    private final ModelKernel kernel = new ModelKernel();
    private ProtectionDomain pd;

    @BeforeEach
    void open() throws Exception {
        pd = kernel.open().allocatePd();
    }

    @AfterEach
    void close() throws Exception {
        pd.context().close();
        kernel.assertClean();
    }

    private MemoryRegion region() throws RdmaException {
        return pd.registerMr(ByteBuffer.allocateDirect(BYTES), EnumSet.of(Access.LOCAL_WRITE));
    }

    @Test
    void namesTheLengthOfARegion() {
        kernel.maxMrSize(BYTES - 1);
        kernel.refuse(IB_USER_VERBS_CMD_REG_MR, Errno.EINVAL);
        assertThatThrownBy(this::region)
                .isInstanceOf(ErrnoException.class)
                .hasMessageEndingWith("the length of a memory region is 4096: the device has 4095; accepted 1 to 4095");
    }

    /** The number is unsigned, and some drivers report none. */
    @ParameterizedTest
    @ValueSource(longs = {BYTES, -1, 0, Long.MIN_VALUE})
    void doesNotBlameALengthThatTheDeviceAccepts(long limit) {
        kernel.maxMrSize(limit);
        kernel.refuse(IB_USER_VERBS_CMD_REG_MR, Errno.EINVAL);
        assertThatThrownBy(this::region)
                .isInstanceOf(ErrnoException.class)
                .message()
                .doesNotContain("length");
    }

    @Test
    void asksTheDeviceForNothingUnlessItRefuses() throws Exception {
        kernel.refuse(IB_USER_VERBS_CMD_QUERY_DEVICE, Errno.EIO);
        int before = kernel.calls();
        region().close();
        pd.createAh(to(1, 0)).close();
        assertThat(kernel.calls() - before).isEqualTo(4);
    }

    private static AhAttr to(int port, int sgidIndex) {
        return AhAttr.to(new Gid(0, 0), sgidIndex, port);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 255})
    void namesThePortOfAnAddress(int port) {
        kernel.refuse(IB_USER_VERBS_CMD_CREATE_AH, Errno.EINVAL);
        assertThatThrownBy(() -> pd.createAh(to(port, 0)))
                .isInstanceOf(ErrnoException.class)
                .hasMessageEndingWith("portNum is " + port + ": the device has 1; accepted 1 to 1");
    }

    /** The model's port has no table of GIDs. */
    @Test
    void namesTheSourceGidOfAnAddress() {
        kernel.refuse(IB_USER_VERBS_CMD_CREATE_AH, Errno.ENODATA);
        assertThatThrownBy(() -> pd.createAh(to(1, 7)))
                .isInstanceOf(ErrnoException.class)
                .hasMessageContaining("sgidIndex is 7: the GID table of port 1 has 0 entries");
    }

    /** The host may be unreachable whatever the numbers are. */
    @Test
    void namesNothingWhenTheHostDoesNotAnswer() {
        kernel.refuse(IB_USER_VERBS_CMD_CREATE_AH, Errno.ETIMEDOUT);
        assertThatThrownBy(() -> pd.createAh(to(9, 9))).message().doesNotContain("portNum");
    }

    @Test
    void namesNothingWhenTheDeviceDoesNotAnswer() {
        kernel.refuse(IB_USER_VERBS_CMD_CREATE_AH, Errno.EINVAL);
        kernel.refuse(IB_USER_VERBS_CMD_QUERY_DEVICE, Errno.EIO);
        assertThatThrownBy(() -> pd.createAh(to(9, 9)))
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
    }

    private static AhAttr with(String name, int value) {
        int[] numbers = new int[NUMBERS.size()];
        numbers[NUMBERS.indexOf(name)] = value;
        return new AhAttr(
                new Gid(0, 0),
                numbers[0],
                numbers[1],
                numbers[2],
                numbers[3],
                numbers[4],
                numbers[5],
                numbers[6],
                numbers[7],
                true,
                numbers[8]);
    }

    @ParameterizedTest
    @CsvSource({
        "flowLabel, 1048575",
        "sgidIndex, 255",
        "hopLimit, 255",
        "trafficClass, 255",
        "dlid, 65535",
        "sl, 15",
        "srcPathBits, 127",
        "staticRate, 255",
        "portNum, 255"
    })
    void refusesANumberThatDoesNotFitIntoAnAddress(String name, int most) {
        int calls = kernel.calls();
        for (int value : new int[] {-1, most + 1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> pd.createAh(with(name, value)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(name + " of an address is " + value + "; it must be 0 to " + most);
        }
        assertThat(kernel.calls()).isEqualTo(calls);
        assertThatCode(() -> pd.createAh(with(name, most)).close()).doesNotThrowAnyException();
    }
}
