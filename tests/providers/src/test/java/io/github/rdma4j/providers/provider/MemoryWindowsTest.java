// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.MemoryWindow;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Windows on a region of the server, used by the client, on the devices that have windows. */
@ParameterizedClass
@EnumSource(names = {"MLX4", "IRDMA_E810", "IRDMA_E810_IWARP", "IRDMA_X722"})
class MemoryWindowsTest {
    private static final Set<Access> READ_WRITE = EnumSet.of(Access.REMOTE_READ, Access.REMOTE_WRITE);
    private static final int BYTES = 256;

    @Parameter
    private CardKind kind = CardKind.MLX4;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(BYTES);
    private CardPair pair;
    private MemoryRegion region;

    @BeforeEach
    void connect() throws RdmaException {
        pair = kind.pair();
        region = pair.pd().registerMr(memory, EnumSet.of(Access.LOCAL_WRITE, Access.MW_BIND));
        pair.buffer().putLong(0, 0x0102030405060708L);
    }

    @AfterEach
    void close() throws RdmaException {
        pair.close();
    }

    private static SendWorkRequest request() {
        return new SendWorkRequest(1).wrId(5).signaled();
    }

    private WorkCompletion done(SendWorkRequest request) throws RdmaException {
        pair.server().postSend(request);
        pair.settle();
        return pair.poll();
    }

    private void bind(MemoryWindow window, long offset, long length) throws RdmaException {
        WorkCompletion bound = done(request().bind(window, region, offset, length, READ_WRITE));
        assertThat(bound.isSuccess()).as("%s", bound).isTrue();
        assertThat(bound.opcode()).isEqualTo(WorkCompletionOpcode.BIND_MW);
    }

    /** The status of a write of eight bytes by the client. */
    private WorkCompletionStatus write(int key, long offset) throws RdmaException {
        pair.client().postSend(request().rdmaWrite(region.iova() + offset, key).add(pair.region(), 0, 8));
        pair.settle();
        return pair.poll().status();
    }

    @ParameterizedTest
    @EnumSource(MemoryWindow.Type.class)
    void givesThePeerAPartOfARegion(MemoryWindow.Type type) throws Exception {
        try (MemoryWindow window = pair.pd().allocateMw(type)) {
            bind(window, 64, 64);
            assertThat(write(window.rkey(), 64)).isEqualTo(WorkCompletionStatus.SUCCESS);
            assertThat(memory.getLong(64)).isEqualTo(0x0102030405060708L);
            assertThat(write(window.rkey(), 128)).isEqualTo(WorkCompletionStatus.REM_ACCESS_ERR);
        }
    }

    @Test
    void givesThePeerNoMoreRightsThanTheWindowHas() throws Exception {
        try (MemoryWindow window = pair.pd().allocateMw(MemoryWindow.Type.TYPE_1)) {
            done(request().bind(window, region, 64, 64, EnumSet.of(Access.REMOTE_READ)));
            assertThat(write(window.rkey(), 64)).isEqualTo(WorkCompletionStatus.REM_ACCESS_ERR);
        }
    }

    @Test
    void movesAWindowOfType1() throws Exception {
        try (MemoryWindow window = pair.pd().allocateMw(MemoryWindow.Type.TYPE_1)) {
            bind(window, 0, 8);
            int old = window.rkey();
            bind(window, 8, 8);
            assertThat(write(window.rkey(), 8)).isEqualTo(WorkCompletionStatus.SUCCESS);
            assertThat(write(old, 0)).isEqualTo(WorkCompletionStatus.REM_ACCESS_ERR);
        }
    }

    @Test
    void takesAWindowOfType1Back() throws Exception {
        try (MemoryWindow window = pair.pd().allocateMw(MemoryWindow.Type.TYPE_1)) {
            bind(window, 0, 8);
            bind(window, 0, 0);
            assertThat(write(window.rkey(), 0)).isEqualTo(WorkCompletionStatus.REM_ACCESS_ERR);
        }
    }

    @Test
    void invalidatesAndBindsAnew() throws Exception {
        try (MemoryWindow window = pair.pd().allocateMw(MemoryWindow.Type.TYPE_2)) {
            bind(window, 0, 8);
            int old = window.rkey();
            assertThat(done(request().localInvalidate(window)).opcode()).isEqualTo(WorkCompletionOpcode.LOCAL_INV);
            bind(window, 8, 8);
            assertThat(write(window.rkey(), 8)).isEqualTo(WorkCompletionStatus.SUCCESS);
            assertThat(write(old, 0)).isEqualTo(WorkCompletionStatus.REM_ACCESS_ERR);
        }
    }

    @Test
    void isInvalidatedByAMessage() throws Exception {
        try (MemoryWindow window = pair.pd().allocateMw(MemoryWindow.Type.TYPE_2)) {
            bind(window, 0, 8);
            pair.server().postReceive(pair.receive(9));
            pair.client().postSend(request().sendWithInvalidate(window.rkey()).add(pair.region(), 0, 8));
            pair.settle();
            WorkCompletion received = pair.poll();
            assertThat(received.wrId()).isEqualTo(9);
            assertThat(received.hasInvalidatedKey()).isTrue();
            assertThat(received.invalidatedKey()).isEqualTo(window.rkey());
            assertThat(pair.poll().opcode()).isEqualTo(WorkCompletionOpcode.SEND);
            assertThat(write(window.rkey(), 0)).isEqualTo(WorkCompletionStatus.REM_ACCESS_ERR);
        }
    }

    @Test
    void reportsABindThatTheRegionDoesNotAllow() throws Exception {
        try (MemoryWindow window = pair.pd().allocateMw(MemoryWindow.Type.TYPE_2)) {
            WorkCompletion failed = done(request().bind(window, pair.region(), 0, 8, READ_WRITE));
            assertThat(failed.status()).isEqualTo(WorkCompletionStatus.MW_BIND_ERR);
        }
    }
}
