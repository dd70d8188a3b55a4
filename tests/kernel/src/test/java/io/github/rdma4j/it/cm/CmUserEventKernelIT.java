// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.IbServices;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.RunningKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.support.Await;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What Linux 6.18 has brought, and what older kernels say of it. */
@RequiresKernel
class CmUserEventKernelIT {
    private static final boolean SUPPORTED = RunningKernel.isAtLeast(6, 18);

    private EventChannel channel;
    private CmId id;

    @BeforeEach
    void open() throws RdmaException {
        channel = EventChannel.open();
        id = channel.createId(PortSpace.TCP);
    }

    @AfterEach
    void close() throws RdmaException {
        channel.close();
    }

    private interface Call {
        void run() throws RdmaException;
    }

    /** True when the kernel can do it; otherwise the call must say which kernel can. */
    private static boolean isSupported(Call call) {
        if (!SUPPORTED) {
            assertThatThrownBy(call::run)
                    .isInstanceOf(UnsupportedByKernelException.class)
                    .hasMessageContaining("6.18");
        }
        return SUPPORTED;
    }

    @Test
    void deliversWhatTheUserWrites() throws Exception {
        if (isSupported(() -> id.writeEvent(7, 1))) {
            id.writeEvent(7, 0x1122334455667788L);
            id.writeEvent(-5, -1);
            CmEvent first = Events.expect(channel, CmEventType.USER);
            assertThat(first.id()).isSameAs(id);
            assertThat(first.status()).isEqualTo(7);
            assertThat(first.userArgument()).hasValue(0x1122334455667788L);
            CmEvent second = Events.expect(channel, CmEventType.USER);
            assertThat(second.status()).isEqualTo(-5);
            assertThat(second.userArgument()).hasValue(-1);
            assertThat(second.privateData()).isEmpty();
            assertThat(id.state()).isEqualTo(CmState.IDLE);
        }
        assertThat(channel.pollEvent()).isEmpty();
    }

    @Test
    void keepsItsPlaceAmongTheKernelsEvents() throws Exception {
        id.resolveAddress(new InetSocketAddress(Rxe.IPV4, 7174), Loopback.RESOLVE);
        Await.until("the event waits", () -> EventsWaiting.now(channel));
        if (isSupported(() -> id.writeEvent(0, 1))) {
            id.writeEvent(0, 2);
            Events.expect(channel, CmEventType.ADDR_RESOLVED);
            assertThat(Events.expect(channel, CmEventType.USER).userArgument()).hasValue(2);
        } else {
            Events.expect(channel, CmEventType.ADDR_RESOLVED);
        }
    }

    @Test
    void wakesWhoeverWaitsForAnEvent() throws Exception {
        Await.Running<CmEvent> waiting = Await.inThread(channel::awaitEvent).untilInside("poll");
        if (isSupported(() -> id.writeEvent(0, 1))) {
            id.writeEvent(0, 3);
            try (CmEvent event = waiting.result()) {
                assertThat(event.userArgument()).hasValue(3);
            }
        } else {
            channel.close();
            waiting.join();
        }
    }

    @Test
    void migratesWithItsId() throws Exception {
        if (isSupported(() -> id.writeEvent(0, 1))) {
            id.writeEvent(1, 1);
            id.writeEvent(2, 2);
            try (EventChannel other = EventChannel.open()) {
                id.migrate(other);
                assertThat(Events.expect(other, CmEventType.USER).userArgument())
                        .hasValue(1);
                assertThat(Events.expect(other, CmEventType.USER).userArgument())
                        .hasValue(2);
            }
        }
    }

    @Test
    void asksNoSubnetAdministrationOnEthernet() throws Exception {
        id.bind(new InetSocketAddress(Rxe.IPV4, 0));
        if (isSupported(() -> id.services().resolve(IbServices.Query.byId(1)))) {
            assertThatThrownBy(() -> id.services().resolve(IbServices.Query.byName("x")))
                    .isInstanceOfSatisfying(
                            ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EOPNOTSUPP));
            assertThat(id.state()).isEqualTo(CmState.BOUND);
            assertThatThrownBy(() -> id.services().resolved()).isInstanceOf(RdmaException.class);
        }
    }

    @Test
    void saysNothingOfOldKernelsWhenTheIdIsToBlame() throws Exception {
        assertThatThrownBy(() -> id.services().resolve(IbServices.Query.byId(1)))
                .isInstanceOf(IllegalStateException.class);
        id.close();
        assertThatThrownBy(() -> id.writeEvent(0, 0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> id.services().resolved()).isInstanceOf(IllegalStateException.class);
    }
}
