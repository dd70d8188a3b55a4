// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.mad.SaHeader;
import io.github.rdma4j.internal.mad.SaMethods;
import io.github.rdma4j.internal.uverbs.GidBytes;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.ScriptedTransport.QuietError;
import io.github.rdma4j.sm.ScriptedTransport.Sent;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.McMemberRecord.JoinState;
import io.github.rdma4j.verbs.attr.Gid;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A registry whose surroundings fail: its executor, its scheduler, a listener, the port, somebody who closes it. */
@Timeout(120)
class MembershipRegistryTroubleTest {
    private static final Gid GROUP = Gid.parse("ff12:401b:ffff:0000:0000:0000:0f00:0001");
    private static final Gid SECOND = Gid.parse("ff12:401b:ffff:0000:0000:0000:0f00:0002");
    private static final McMemberRecord.Template PARAMETERS = McMemberRecord.newGroup(0xb1b, 0xffff);
    private static final JoinRequest FULL = JoinRequest.creating(GROUP, JoinState.FULL_MEMBER, PARAMETERS);
    private static final SaOptions PATIENT =
            SaOptions.builder().firstTimeout(Duration.ofMinutes(5)).build();

    private final ModelSubnetAdministration subnet = new ModelSubnetAdministration();
    private final BlockingQueue<MulticastMembership.Event> events = new LinkedBlockingQueue<>();
    private SaClient client;

    @BeforeEach
    void open() throws RdmaException {
        client = SaClient.over(subnet.attach());
    }

    @AfterEach
    void close() {
        client.close();
    }

    private static void answer(ScriptedTransport transport, Sent request, Gid mgid) {
        byte[] record = new byte[56];
        request.mad().get(SaHeader.Layout.END, record);
        GidBytes.encode(mgid, ByteBuffer.wrap(record), 0);
        transport.answer(request, 0, 7, record);
    }

    private static <T> FutureTask<T> inThread(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task, "test helper");
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    private static boolean isInside(String method) {
        return Thread.getAllStackTraces().values().stream()
                .flatMap(Arrays::stream)
                .anyMatch(frame -> frame.getMethodName().equals(method)
                        && frame.getClassName().startsWith("io.github.rdma4j."));
    }

    /** A port that was joined while the registry was closed is no member in the end. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void closeAgainstAJoin(boolean newGroup) throws Exception {
        ScriptedTransport transport = new ScriptedTransport(true);
        try (SaClient slow = SaClient.over(transport, PATIENT)) {
            MembershipRegistry registry = new MembershipRegistry(slow, Runnable::run);
            JoinRequest request =
                    newGroup ? JoinRequest.creating(new Gid(0, 0), JoinState.FULL_MEMBER, PARAMETERS) : FULL;
            FutureTask<MulticastMembership> joining = inThread(() -> registry.join(request));
            Sent join = transport.next();
            FutureTask<Boolean> closing = inThread(() -> {
                registry.close();
                return true;
            });
            while (!closing.isDone() && !isInside("leaveForGood")) {
                Thread.onSpinWait();
            }
            answer(transport, join, GROUP);
            Sent leave = transport.next();
            assertThat(leave.header().method()).isEqualTo(SaMethods.DELETE);
            answer(transport, leave, GROUP);
            assertThat(closing.get(60, TimeUnit.SECONDS)).isTrue();
            try {
                MulticastMembership membership = joining.get(60, TimeUnit.SECONDS);
                assertThat(membership.isMember()).isFalse();
            } catch (ExecutionException e) {
                assertThat(e.getCause())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("the registry is closed");
            }
            assertThat(registry.memberships()).isEmpty();
            assertThatThrownBy(() -> registry.join(FULL)).isInstanceOf(IllegalStateException.class);
        }
    }

    /** The first silence is enough: the other groups are left without waiting for theirs. */
    @Test
    void closeWaitsForASilentSubnetManagerOnce() throws Exception {
        ScriptedTransport transport = new ScriptedTransport(true);
        SaOptions hasty = SaOptions.builder()
                .firstTimeout(Duration.ofMillis(500))
                .attempts(1)
                .build();
        try (SaClient silent = SaClient.over(transport, hasty)) {
            MembershipRegistry registry = new MembershipRegistry(silent, Runnable::run);
            for (Gid mgid : new Gid[] {GROUP, SECOND}) {
                FutureTask<MulticastMembership> joining =
                        inThread(() -> registry.join(JoinRequest.creating(mgid, JoinState.FULL_MEMBER, PARAMETERS)));
                answer(transport, transport.next(), mgid);
                joining.get(60, TimeUnit.SECONDS);
            }
            assertThatThrownBy(registry::close)
                    .isInstanceOf(SaTimeoutException.class)
                    .satisfies(e -> assertThat(e.getSuppressed()).isEmpty());
            assertThat(transport.next().header().method()).isEqualTo(SaMethods.DELETE);
            assertThat(transport.next().header().method()).isEqualTo(SaMethods.DELETE);
        }
    }

    @Test
    void anInterruptedCloseSendsTheLeaves() throws Exception {
        MembershipRegistry registry = new MembershipRegistry(client, Runnable::run);
        registry.join(FULL);
        registry.join(JoinRequest.creating(SECOND, JoinState.FULL_MEMBER, PARAMETERS));
        Thread.currentThread().interrupt();
        assertThatThrownBy(registry::close).isInstanceOf(RdmaException.class).hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(subnet.exists(GROUP)).isFalse();
        assertThat(subnet.exists(SECOND)).isFalse();
    }

    @Test
    void anExecutorThatRefusesIsAskedAgain() throws Exception {
        AtomicBoolean refuses = new AtomicBoolean(true);
        MembershipRegistry registry = new MembershipRegistry(client, task -> {
            if (refuses.get()) {
                throw new RejectedExecutionException("full");
            }
            task.run();
        });
        registry.addListener(events::add);
        registry.join(FULL);
        subnet.restart();
        assertThatThrownBy(registry::portChanged).isInstanceOf(RejectedExecutionException.class);
        assertThat(events).isEmpty();
        refuses.set(false);
        registry.portChanged();
        assertThat(events.take().type()).isEqualTo(MulticastMembership.Event.Type.REJOINED);
    }

    @Test
    void theScheduleOutlivesErrors() throws Exception {
        ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
        try (MembershipRegistry registry = new MembershipRegistry(client, Runnable::run)) {
            registry.addListener(event -> {
                throw new QuietError();
            });
            registry.addListener(events::add);
            registry.join(FULL);
            subnet.unreachableFor("Get");
            registry.checkEvery(scheduler, Duration.ofMillis(1));
            for (int i = 0; i < 3; i++) {
                assertThat(events.take().type()).isEqualTo(MulticastMembership.Event.Type.FAILED);
            }
        } finally {
            scheduler.shutdownNow();
        }
    }

    @Test
    void theScheduleOutlivesAMistakeOfTheTransport() throws Exception {
        ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
        ScriptedTransport transport = new ScriptedTransport(true);
        try (SaClient mistaken = SaClient.over(transport, PATIENT)) {
            MembershipRegistry registry = new MembershipRegistry(mistaken, Runnable::run);
            registry.addListener(events::add);
            FutureTask<MulticastMembership> joining = inThread(() -> registry.join(FULL));
            answer(transport, transport.next(), GROUP);
            joining.get(60, TimeUnit.SECONDS);
            transport.failSending(new QuietError());
            registry.checkEvery(scheduler, Duration.ofMillis(1));
            while (mistaken.statistics().requests() < 4) {
                Thread.onSpinWait();
            }
        } finally {
            scheduler.shutdownNow();
        }
    }

    @Test
    void nothingIsScheduledForAClosedRegistry() throws Exception {
        ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
        try {
            MembershipRegistry registry = new MembershipRegistry(client, Runnable::run);
            registry.close();
            registry.checkEvery(scheduler, Duration.ofHours(1));
            assertThat(scheduler.shutdownNow())
                    .allSatisfy(task -> assertThat(((ScheduledFuture<?>) task).isCancelled())
                            .isTrue());
        } finally {
            scheduler.shutdownNow();
        }
    }

    @Test
    void aPortThatCannotBeReadIsTold() throws Exception {
        MembershipRegistry registry = new MembershipRegistry(client, Runnable::run);
        registry.addListener(events::add);
        registry.join(FULL);
        subnet.portFailure(new RdmaException("there is no port 1 of model0"));
        assertThatThrownBy(registry::check).hasMessageContaining("there is no port");
        MulticastMembership.Event event = events.take();
        assertThat(event.type()).isEqualTo(MulticastMembership.Event.Type.FAILED);
        assertThat(event.cause().orElseThrow()).hasMessageContaining("there is no port");
        subnet.portFailure(null);
        registry.check();
        assertThat(registry.memberships()).allMatch(MulticastMembership::isMember);
        assertThat(subnet.log()).endsWith("Set MCMemberRecord 1");
    }

    @Test
    void theEndOfTheClientIsTold() throws Exception {
        ScriptedTransport transport = new ScriptedTransport(true);
        try (SaClient ending = SaClient.over(transport, PATIENT)) {
            MembershipRegistry registry = new MembershipRegistry(ending, Runnable::run);
            registry.addListener(events::add);
            FutureTask<MulticastMembership> joining = inThread(() -> registry.join(FULL));
            answer(transport, transport.next(), GROUP);
            joining.get(60, TimeUnit.SECONDS);
            transport.failReceiving(new ErrnoException("read", Errno.EIO));
            MulticastMembership.Event event = events.take();
            assertThat(event.type()).isEqualTo(MulticastMembership.Event.Type.FAILED);
            assertThat(event.cause().orElseThrow()).isInstanceOf(ErrnoException.class);
            assertThat(Set.copyOf(registry.memberships())).hasSize(1);
        }
    }
}
