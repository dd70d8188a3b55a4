// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.transfer;

import io.github.rdma4j.cli.run.Failures;
import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmQueues;
import io.github.rdma4j.cm.DatagramPeer;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.GroupMembership;
import io.github.rdma4j.cm.IbSocketAddress;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.WorkCompletionException;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.Grh;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A run of a sender or a receiver. */
final class Mckey extends Exchange {
    private static final Duration RESOLVE_TIMEOUT = Duration.ofSeconds(2);

    /** Longer than the kernel repeats its requests to the subnet manager. */
    private static final Duration JOIN_PATIENCE = Duration.ofMinutes(3);

    private final Plan plan;
    private final EventChannel events;
    private final List<Member> members = new ArrayList<>();
    private int joined;

    /** Creates a run; opens the event channel that {@link #close} closes. */
    Mckey(Plan plan, PrintWriter out) throws RdmaException {
        super(out);
        this.plan = plan;
        events = EventChannel.open();
    }

    @Override
    void exchange() throws RdmaException, InterruptedException {
        say("mckey: starting " + (plan.sender ? "client" : "server"));
        say("mckey: joining");
        for (SocketAddress group : plan.groups) {
            for (int i = 0; i < plan.connections; i++) {
                start(group);
            }
        }
        while (joined < members.size()) {
            try (CmEvent event = events.awaitEvent(JOIN_PATIENCE)
                    .orElseThrow(() -> new RdmaException(
                            "the groups were not joined; no event came for " + JOIN_PATIENCE.toSeconds() + " s"))) {
                handle(event);
            }
        }
        if (plan.messages == 0) {
            return;
        }
        if (plan.sender) {
            send();
        } else {
            receive();
        }
    }

    private void start(SocketAddress group) throws RdmaException {
        CmId id = events.createId(plan.portSpace);
        Member member = new Member(id, group);
        id.attach(member);
        members.add(member);
        InetSocketAddress local = plan.local;
        if (group instanceof IbSocketAddress) {
            // nothing to resolve, because the GID is the address of the group on the network
            id.bind(Objects.requireNonNull(local));
            member.join();
        } else if (local == null) {
            id.resolveAddress(group, RESOLVE_TIMEOUT);
        } else {
            id.resolveAddress(local, group, RESOLVE_TIMEOUT);
        }
    }

    private void handle(CmEvent event) throws RdmaException {
        switch (event.type()) {
            case ADDR_RESOLVED -> ((Member) Objects.requireNonNull(event.id().attachment())).join();
            case MULTICAST_JOIN -> joined(event.membership().orElseThrow());
            case ADDR_ERROR, ROUTE_ERROR, MULTICAST_ERROR, DEVICE_REMOVAL -> throw failure(event);
            default -> {
                // nothing to do
            }
        }
    }

    private static RdmaException failure(CmEvent event) {
        return event.type() == CmEventType.DEVICE_REMOVAL
                ? Failures.of(event)
                : event.failure().orElseGet(event::toException);
    }

    private void joined(GroupMembership membership) {
        DatagramPeer peer = membership.peer().orElseThrow();
        say(String.format(
                Locale.ROOT,
                "mckey: joined dgid: %s mlid 0x%x sl %d",
                textOf(peer.ahAttr().dgid()),
                peer.ahAttr().dlid(),
                peer.ahAttr().sl()));
        joined++;
    }

    /** Formats a GID as the C program does. */
    private static String textOf(Gid gid) {
        String address = gid.toAddress().getHostAddress();
        return gid.isV4Mapped() ? "::ffff:" + address : address;
    }

    private void send() throws RdmaException, InterruptedException {
        // switches or, on InfiniBand, the subnet manager need time to route the group's messages here
        settle();
        say("initiating data transfers");
        for (Member member : members) {
            member.send();
        }
        say("data transfers complete");
    }

    private void settle() throws RdmaException, InterruptedException {
        Deadline deadline = Deadline.after(Duration.ofSeconds(plan.settle));
        while (!deadline.expired()) {
            Optional<CmEvent> event = events.awaitEvent(Duration.ofNanos(deadline.remainingNanos()));
            if (event.isPresent()) {
                requireNoFailure(event.get());
            }
        }
    }

    private void receive() throws RdmaException, InterruptedException {
        say("receiving data transfers");
        for (Member member : members) {
            member.receive();
        }
        members.forEach(member -> say("mckey: " + nameOf(member.group) + ": " + member.tally));
        requireNoFailures();
        int lost = members.stream().mapToInt(member -> member.tally.lost()).sum();
        if (members.stream().anyMatch(member -> member.tally.isBad())) {
            throw new RdmaException(lost > 0 ? lost + " messages were lost" : "messages were duplicated or damaged");
        }
        say("data transfers complete");
    }

    private static String nameOf(SocketAddress group) {
        return group instanceof InetSocketAddress ip ? ip.getAddress().getHostAddress() : group.toString();
    }

    private void requireNoFailures() throws RdmaException {
        for (Optional<CmEvent> event = events.pollEvent(); event.isPresent(); event = events.pollEvent()) {
            requireNoFailure(event.get());
        }
    }

    private static void requireNoFailure(CmEvent event) throws RdmaException {
        try (event) {
            if (event.type() == CmEventType.MULTICAST_ERROR || event.type() == CmEventType.DEVICE_REMOVAL) {
                throw failure(event);
            }
        }
    }

    @Override
    void close() throws RdmaException {
        FirstFailure failure = new FirstFailure();
        members.forEach(member -> failure.attempt(member::close));
        failure.attempt(events::close);
        failure.throwIfAny();
    }

    /** The plan of a run: its options, and what they lead to. */
    static final class Plan {
        @Option(names = "-s", description = "Run as the sender.")
        boolean sender;

        @Option(names = "-c", paramLabel = "N", description = "Number of ids for each group (${DEFAULT-VALUE}).")
        int connections = 1;

        @Option(names = "-C", paramLabel = "N", description = "Number of messages of each id (${DEFAULT-VALUE}).")
        int messages = 10;

        @Option(names = "-S", paramLabel = "BYTES", description = "Size of a message, 0 to 4096 (${DEFAULT-VALUE}).")
        int size = 100;

        @Option(
                names = "-l",
                description = "Keep messages from receivers on the same device. Devices that cannot, such as soft-RoCE,"
                        + " refuse the queue pair.")
        boolean noLoopback;

        @Option(
                names = "-d",
                paramLabel = "SECONDS",
                description = "Time that a sender waits between joining and sending (${DEFAULT-VALUE}, as in C).")
        int settle = 3;

        @Option(
                names = "-w",
                paramLabel = "SECONDS",
                description =
                        "Time limit of a receiver for each further message; messages that are missing then count as lost"
                                + " (${DEFAULT-VALUE}).")
        int patience = 10;

        @Option(
                names = "-W",
                paramLabel = "SECONDS",
                description = "Time limit of a receiver for the first message (default: no limit).")
        @Nullable
        Integer firstPatience;

        PortSpace portSpace = PortSpace.UDP;

        /** The groups to join: IP addresses, or GIDs, which need a local address. */
        final List<SocketAddress> groups = new ArrayList<>();

        /** The local address; null to choose it by the route to the group. */
        @Nullable
        InetSocketAddress local;

        GroupMembership.Mode mode = GroupMembership.Mode.FULL_MEMBER;
    }

    /** An id in a group, with its queue pair and memory. Used by one thread. */
    private final class Member implements AutoCloseable {
        private static final int BATCH = 8;

        final CmId id;
        final SocketAddress group;
        final Tally tally;
        private final WorkCompletion[] batch = WorkCompletion.array(BATCH);
        private @Nullable Resources resources;
        private int sent;

        /** Creates a member for an id that is to join the group; the member closes the id. */
        Member(CmId id, SocketAddress group) {
            this.id = id;
            this.group = group;
            tally = new Tally(plan.messages, plan.size);
        }

        /** The resources of an id that has a device. */
        private record Resources(CmQueues queues, ByteBuffer memory, MemoryRegion region) {}

        private int slot() {
            return plan.sender ? plan.size : Grh.BYTES + plan.size;
        }

        /** Creates queue pair and memory, posts a receiver's receives, and joins. */
        void join() throws RdmaException {
            if (plan.messages > 0) {
                requireOnePacket(id, plan.size);
            }
            int depth = Math.max(1, plan.messages);
            ByteBuffer memory = ByteBuffer.allocateDirect(Math.max(1, plan.messages * slot()));
            CmQueues queues = id.queues()
                    .createOwn(QueuePairOptions.builder()
                            .maxSendWr(depth)
                            .maxReceiveWr(depth)
                            .signalAll(true)
                            .blockMulticastLoopback(plan.noLoopback)
                            .build());
            MemoryRegion region;
            try {
                region = queues.pd().registerMr(memory, EnumSet.of(Access.LOCAL_WRITE));
            } catch (RdmaException | RuntimeException | OutOfMemoryError e) {
                FirstFailure.closeAfter(e, queues);
                throw e;
            }
            resources = new Resources(queues, memory, region);
            if (!plan.sender) {
                postReceives(queues.qp(), region);
            }
            id.multicast().join(group, plan.mode, this);
        }

        private void postReceives(QueuePair qp, MemoryRegion region) throws RdmaException {
            ReceiveWorkRequest receive = new ReceiveWorkRequest(1);
            for (int i = 0; i < plan.messages; i++) {
                qp.postReceive(receive.wrId(i).clear().add(region, (long) i * slot(), slot()));
            }
        }

        private Resources resources() {
            Resources present = resources;
            if (present == null) {
                throw new IllegalStateException(id + " has not joined");
            }
            return present;
        }

        /** Sends all messages to the group and waits for their completions. */
        void send() throws RdmaException, InterruptedException {
            Resources own = resources();
            DatagramPeer group = id.multicast().memberships().get(0).peer().orElseThrow();
            try (AddressHandle ah = own.queues.pd().createAh(group.ahAttr())) {
                // receivers take the immediate data for the sender's queue pair number, as in the C program
                SendWorkRequest send = new SendWorkRequest(1)
                        .sendWithImmediate(own.queues.qp().qpn())
                        .to(ah, group.qpn(), group.qkey());
                for (int i = 0; i < plan.messages; i++) {
                    TestMessage.fill(own.memory.slice(i * slot(), plan.size), i);
                    own.queues.qp().postSend(send.clear().add(own.region, (long) i * slot(), plan.size));
                }
                while (sent < plan.messages && await(Deadline.never())) {
                    // each completion counts as one
                }
            }
        }

        /** Receives until all messages have arrived, or until the time limit for a message. */
        void receive() throws RdmaException, InterruptedException {
            while (!tally.isComplete()) {
                Integer patience = tally.received() == 0 ? plan.firstPatience : Integer.valueOf(plan.patience);
                if (!await(patience == null ? Deadline.never() : Deadline.after(Duration.ofSeconds(patience)))) {
                    return;
                }
            }
        }

        /**
         * Takes completions, and waits if there are none; returns false after the time limit.
         *
         * @throws RdmaException if the device or a membership is lost meanwhile
         */
        private boolean await(Deadline deadline) throws RdmaException, InterruptedException {
            Resources own = resources();
            int found;
            do {
                found = own.queues.cq().await(batch, deadline, events);
                if (found == 0) {
                    requireNoFailures();
                }
            } while (found == 0 && !deadline.expired());
            for (int i = 0; i < found; i++) {
                take(own, batch[i]);
            }
            return found > 0;
        }

        private void take(Resources own, WorkCompletion completion) throws RdmaException {
            if (!completion.isSuccess()) {
                throw new WorkCompletionException(completion);
            }
            if (!completion.isReceive()) {
                sent++;
                return;
            }
            int base = (int) completion.wrId() * slot();
            ByteBuffer message = own.memory.slice(base + Grh.BYTES, completion.byteLength() - Grh.BYTES);
            tally.count(
                    message,
                    Grh.decode(own.memory, base).source(),
                    completion.sourceQp(),
                    completion.hasImmediate() ? completion.immediate() : completion.sourceQp());
        }

        /** Leaves the group and releases everything. */
        @Override
        public void close() throws RdmaException {
            Resources own = resources;
            if (own == null) {
                id.close();
            } else {
                Failures.closeAll(id::close, own.queues::close);
            }
        }
    }
}
