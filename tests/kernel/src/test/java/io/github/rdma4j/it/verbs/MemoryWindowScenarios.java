// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.End;
import io.github.rdma4j.it.support.Ends;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.MemoryWindow;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Windows on a region of the server, used by the client. */
abstract class MemoryWindowScenarios extends DeviceScenarios {
    static final Set<Access> READ_WRITE = EnumSet.of(Access.REMOTE_READ, Access.REMOTE_WRITE);
    static final int BYTES = 256;

    Ends ends;
    End client;
    End server;
    ByteBuffer memory;
    MemoryRegion region;

    /** Where in the region a peer reaches nothing by a window that ends at 128. */
    long behindTheWindow() {
        return 128;
    }

    /** What a bind that the region does not allow may end with. */
    Set<WorkCompletionStatus> statusOfARefusedBind() {
        return Set.of(WorkCompletionStatus.MW_BIND_ERR);
    }

    @BeforeEach
    void connect() throws Exception {
        ends = connect(setup -> setup);
        client = ends.client();
        server = ends.server();
        memory = ByteBuffer.allocateDirect(BYTES);
        region = server.pd().registerMr(memory, EnumSet.of(Access.LOCAL_WRITE, Access.MW_BIND));
        client.buffer().putLong(0, 0x0102030405060708L);
    }

    @AfterEach
    void close() throws Exception {
        ends.close();
    }

    static SendWorkRequest request() {
        return new SendWorkRequest(1).wrId(5).signaled();
    }

    private void bind(MemoryWindow window, long offset, long length) throws Exception {
        server.qp().postSend(request().bind(window, region, offset, length, READ_WRITE));
        assertThat(server.success().opcode()).isEqualTo(WorkCompletionOpcode.BIND_MW);
    }

    /** The status of a write of eight bytes by the client. */
    WorkCompletionStatus write(int key, long offset) throws Exception {
        client.qp().postSend(request().rdmaWrite(region.iova() + offset, key).add(client.region(), 0, 8));
        return client.completion().status();
    }

    @ParameterizedTest
    @EnumSource(MemoryWindow.Type.class)
    void givesThePeerAPartOfARegion(MemoryWindow.Type type) throws Exception {
        try (MemoryWindow window = server.pd().allocateMw(type)) {
            int before = window.rkey();
            bind(window, 64, 64);
            assertThat(window.rkey()).isNotEqualTo(before).isNotEqualTo(region.rkey());
            assertThat(write(window.rkey(), 64)).isEqualTo(WorkCompletionStatus.SUCCESS);
            assertThat(memory.getLong(64)).isEqualTo(0x0102030405060708L);
            assertThat(write(window.rkey(), behindTheWindow())).isEqualTo(WorkCompletionStatus.REM_ACCESS_ERR);
        }
        region.close();
    }

    @ParameterizedTest
    @EnumSource(MemoryWindow.Type.class)
    void givesThePeerNoMoreRightsThanTheWindowHas(MemoryWindow.Type type) throws Exception {
        try (MemoryWindow window = server.pd().allocateMw(type)) {
            server.qp().postSend(request().bind(window, region, 64, 64, EnumSet.of(Access.REMOTE_READ)));
            server.success();
            memory.putLong(64, 42);
            client.qp()
                    .postSend(request()
                            .rdmaRead(region.iova() + 64, window.rkey())
                            .add(client.region(), 0, 8));
            client.success();
            assertThat(client.buffer().getLong(0)).isEqualTo(42);
            assertThat(write(window.rkey(), 64)).isEqualTo(WorkCompletionStatus.REM_ACCESS_ERR);
            assertThat(memory.getLong(64)).isEqualTo(42);
        }
    }

    @Test
    void movesAWindowOfType1() throws Exception {
        try (MemoryWindow window = server.pd().allocateMw(MemoryWindow.Type.TYPE_1)) {
            bind(window, 0, 8);
            int old = window.rkey();
            bind(window, 8, 8);
            assertThat(write(window.rkey(), 8)).isEqualTo(WorkCompletionStatus.SUCCESS);
            assertThat(write(old, 8)).isEqualTo(WorkCompletionStatus.REM_ACCESS_ERR);
        }
    }

    @Test
    void takesAWindowOfType1Back() throws Exception {
        try (MemoryWindow window = server.pd().allocateMw(MemoryWindow.Type.TYPE_1)) {
            bind(window, 0, 8);
            bind(window, 0, 0);
            region.close();
            assertThat(write(window.rkey(), 0)).isEqualTo(WorkCompletionStatus.REM_ACCESS_ERR);
        }
    }

    @Test
    void invalidatesAndBindsAnew() throws Exception {
        try (MemoryWindow window = server.pd().allocateMw(MemoryWindow.Type.TYPE_2)) {
            bind(window, 0, 8);
            int old = window.rkey();
            server.qp().postSend(request().localInvalidate(window));
            assertThat(server.success().opcode()).isEqualTo(WorkCompletionOpcode.LOCAL_INV);
            bind(window, 8, 8);
            assertThat(write(window.rkey(), 8)).isEqualTo(WorkCompletionStatus.SUCCESS);
            assertThat(write(old, 8)).isEqualTo(WorkCompletionStatus.REM_ACCESS_ERR);
        }
    }

    @Test
    void isInvalidatedByAMessage() throws Exception {
        try (MemoryWindow window = server.pd().allocateMw(MemoryWindow.Type.TYPE_2)) {
            bind(window, 0, 8);
            assertThat(write(window.rkey(), 0)).isEqualTo(WorkCompletionStatus.SUCCESS);
            server.qp().postReceive(new ReceiveWorkRequest(1).wrId(9).add(server.region(), 0, 16));
            client.qp().postSend(request().sendWithInvalidate(window.rkey()).add(client.region(), 0, 8));
            assertThat(client.success().opcode()).isEqualTo(WorkCompletionOpcode.SEND);
            WorkCompletion received = server.success();
            assertThat(received.wrId()).isEqualTo(9);
            assertThat(received.hasInvalidatedKey()).isTrue();
            assertThat(received.hasImmediate()).isFalse();
            assertThat(received.invalidatedKey()).isEqualTo(window.rkey());
            assertThat(write(window.rkey(), 0)).isEqualTo(WorkCompletionStatus.REM_ACCESS_ERR);
        }
    }

    @Test
    void reportsABindThatTheRegionDoesNotAllow() throws Exception {
        try (MemoryWindow window = server.pd().allocateMw(MemoryWindow.Type.TYPE_2)) {
            server.qp().postSend(request().bind(window, server.region(), 0, 8, READ_WRITE));
            WorkCompletion failure = server.completion();
            assertThat(failure.wrId()).isEqualTo(5);
            assertThat(failure.status()).isIn(statusOfARefusedBind());
        }
    }
}
