// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.transfer;

import io.github.rdma4j.cli.run.Failures;
import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.DatagramPeer;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.GroupMembership;
import io.github.rdma4j.cm.IbSocketAddress;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Gid;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/** A run of a sender or a receiver. */
final class Mckey extends Exchange {
    private static final Duration RESOLVE_TIMEOUT = Duration.ofSeconds(2);

    /** Longer than the kernel repeats its requests to the subnet manager. */
    private static final Duration JOIN_PATIENCE = Duration.ofMinutes(3);

    private final MckeyPlan plan;
    private final EventChannel events;
    private final List<Member> members = new ArrayList<>();
    private int joined;

    /** Creates a run; opens the event channel that {@link #close} closes. */
    Mckey(MckeyPlan plan, PrintWriter out) throws RdmaException {
        super(out);
        this.plan = plan;
        events = EventChannel.open();
    }

    @Override
    void exchange() throws RdmaException, InterruptedException {
        say("mckey: starting " + (plan.sends() ? "client" : "server"));
        say("mckey: joining");
        for (SocketAddress group : plan.groups()) {
            for (int i = 0; i < plan.connections(); i++) {
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
        if (plan.messages() == 0) {
            return;
        }
        if (plan.sends()) {
            send();
        } else {
            receive();
        }
    }

    private void start(SocketAddress group) throws RdmaException {
        CmId id = events.createId(plan.portSpace());
        Member member = new Member(id, group, plan);
        id.attach(member);
        members.add(member);
        InetSocketAddress local = plan.local();
        if (group instanceof IbSocketAddress) {
            // nothing to resolve, because the GID is the address of the group on the network
            id.bind(Objects.requireNonNull(local));
            join(member);
        } else if (local == null) {
            id.resolveAddress(group, RESOLVE_TIMEOUT);
        } else {
            id.resolveAddress(local, group, RESOLVE_TIMEOUT);
        }
    }

    private void handle(CmEvent event) throws RdmaException {
        switch (event.type()) {
            case ADDR_RESOLVED ->
                join((Member) Objects.requireNonNull(event.id().attachment()));
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

    private void join(Member member) throws RdmaException {
        CmId id = member.id;
        if (plan.messages() > 0) {
            requireOnePacket(id, plan.size());
        }
        member.join();
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
            member.send(member.id.multicast().memberships().get(0), this::await);
        }
        say("data transfers complete");
    }

    private void settle() throws RdmaException, InterruptedException {
        long start = System.nanoTime();
        Duration left = plan.settle();
        while (left.compareTo(Duration.ZERO) > 0) {
            Optional<CmEvent> event = events.awaitEvent(left);
            if (event.isPresent()) {
                requireNoFailure(event.get());
            }
            left = plan.settle().minusNanos(System.nanoTime() - start);
        }
    }

    private void receive() throws RdmaException, InterruptedException {
        say("receiving data transfers");
        for (Member member : members) {
            member.receive(this::await);
        }
        int lost = 0;
        boolean bad = false;
        for (Member member : members) {
            say("mckey: " + nameOf(member.group) + ": " + member.tally);
            lost += member.tally.lost();
            bad |= member.tally.isBad();
        }
        requireNoFailures();
        if (bad) {
            throw new RdmaException(lost > 0 ? lost + " messages were lost" : "messages were duplicated or damaged");
        }
        say("data transfers complete");
    }

    /** Waits for a completion of a member; throws if the device or a membership is lost meanwhile. */
    private int await(CompletionQueue cq, WorkCompletion[] into, Deadline deadline)
            throws RdmaException, InterruptedException {
        int found;
        do {
            found = cq.await(into, deadline, events);
            if (found == 0) {
                requireNoFailures();
            }
        } while (found == 0 && !deadline.expired());
        return found;
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
}
