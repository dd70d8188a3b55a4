// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.cm.CmCommand;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/** What an exception says of a command that the kernel has refused. */
class AdviceTest {
    private static CmIdCore id(CmState state) {
        IdLock lock = new IdLock(() -> {
            throw new AssertionError("nobody sends any events");
        });
        CmIdCore core = new CmIdCore(
                new CmIdCore.Identity(PortSpace.TCP, QueuePairType.RC, 1, 0),
                lock,
                () -> {
                    throw new AssertionError("the kernel is not asked");
                },
                state);
        core.addresses.local(new InetSocketAddress("10.0.0.1", 5));
        core.addresses.peer(new InetSocketAddress("10.0.0.2", 6));
        return core;
    }

    private static void refuse(CmState state, CmCommand command, ErrnoException refusal) throws RdmaException {
        id(state).command(command, () -> {
            throw refusal;
        });
    }

    @Test
    void namesTheIdItsStateAndWhatToDo() {
        ErrnoException refusal = new ErrnoException("RDMA_USER_CM_CMD_ACCEPT", Errno.EINVAL);
        assertThatThrownBy(() -> refuse(CmState.REQUESTED, CmCommand.ACCEPT, refusal))
                .isInstanceOfSatisfying(ErrnoException.class, e -> {
                    assertThat(e.operation()).isEqualTo("RDMA_USER_CM_CMD_ACCEPT");
                    assertThat(e.errno()).isEqualTo(Errno.EINVAL);
                    assertThat(e.getStackTrace()).isEqualTo(refusal.getStackTrace());
                })
                .hasMessage("RDMA_USER_CM_CMD_ACCEPT: EINVAL (22) Invalid argument,"
                        + " CmId[TCP /10.0.0.1:5 to /10.0.0.2:6, REQUESTED]."
                        + " The peer has given up, or the device was removed: close the id");
    }

    /** Making the queue pair of a request asks for the attributes of its connection, which there may be no more. */
    @Test
    void doesNotTakeThePeersEndForALimitOfTheDevice() {
        assertThatThrownBy(() -> refuse(
                        CmState.REQUESTED,
                        CmCommand.CREATE_QP,
                        new ErrnoException("RDMA_USER_CM_CMD_INIT_QP_ATTR", Errno.EINVAL)))
                .hasMessageContaining("the peer has given up or closed")
                .hasMessageNotContaining("exceed the limits of the device");
        assertThatThrownBy(() -> refuse(
                        CmState.REQUESTED,
                        CmCommand.CREATE_QP,
                        new ErrnoException("UVERBS_METHOD_QP_CREATE", Errno.EINVAL)))
                .hasMessageContaining("exceed the limits of the device");
    }

    @Test
    void keepsBetterAdviceAndWhatIsSuppressed() {
        ErrnoException refusal = new ErrnoException("RDMA_USER_CM_CMD_BIND", Errno.EADDRINUSE, "Ask Ann");
        refusal.addSuppressed(new RdmaException("too"));
        assertThatThrownBy(() -> refuse(CmState.IDLE, CmCommand.BIND, refusal))
                .hasMessageEndingWith("IDLE]. Ask Ann")
                .hasMessageNotContaining("port 0")
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    }

    @Test
    void saysNothingMoreWhereNothingIsKnown() {
        ErrnoException refusal = new ErrnoException("RDMA_USER_CM_CMD_LISTEN", Errno.EIO);
        assertThatThrownBy(() -> refuse(CmState.BOUND, CmCommand.LISTEN, refusal))
                .hasMessageEndingWith("BOUND]");
    }

    @Test
    void aRefusedCommandLeavesTheState() {
        CmIdCore id = id(CmState.IDLE);
        assertThatThrownBy(() -> id.command(CmCommand.BIND, () -> {
                    throw new ErrnoException("RDMA_USER_CM_CMD_BIND", Errno.ENODEV);
                }))
                .hasMessageContaining("rdma link");
        assertThat(id.state()).isEqualTo(CmState.IDLE);
    }

    @Test
    void aCommandInTheWrongStateNamesIdStateAndTheStatesItIsFrom() {
        CmIdCore id = id(CmState.IDLE);
        assertThatThrownBy(() -> id.command(CmCommand.CONNECT, () -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("CONNECT")
                .hasMessageContaining(id.toString())
                .hasMessageContaining("ROUTE_RESOLVED");
    }

    @Test
    void knowsWhatTheStatusOfAnEventMeans() {
        assertThat(Advice.on(CmEventType.ADDR_ERROR, -Errno.ETIMEDOUT.number())).contains("ARP");
        assertThat(Advice.on(CmEventType.UNREACHABLE, -Errno.ETIMEDOUT.number()))
                .contains("4791");
        assertThat(Advice.on(CmEventType.REJECTED, 8)).isEmpty();
        assertThat(Advice.on(CmEventType.ADDR_ERROR, -Errno.EIO.number())).isEmpty();
    }
}
