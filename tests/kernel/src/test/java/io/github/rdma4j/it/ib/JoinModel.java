// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.GroupMembership;
import io.github.rdma4j.cm.GroupMembership.Mode;
import io.github.rdma4j.it.support.Ib;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.JoinRequest;
import io.github.rdma4j.sm.MulticastGid;
import io.github.rdma4j.sm.MulticastGroups;
import io.github.rdma4j.sm.SaClient;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.McMemberRecord.JoinState;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.attr.Gid;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Some ids of one port that join and leave some groups, and a model of their memberships. The kernel is a member in each
 * join state in which an id is one. The kernel ends the newest membership that an id has of an address, so an older one
 * that was left stays until the newer ones are left.
 */
final class JoinModel implements AutoCloseable {
    private static final int IDS = 3;
    private static final int GROUPS = 3;
    private static final int QKEY = 0x0123_4567;
    private static final int TIMED_OUT = -110;
    private static final int INVALID = -22;
    private static final int RESET = -102;
    private static final AtomicInteger CASES = new AtomicInteger();

    /**
     * The last group has full members only. The other port is a member of all others: without it, OpenSM forgets a port
     * that leaves one state of two ({@code LeaveSmIT}).
     */
    private static final int LAST = GROUPS - 1;

    private enum State {
        /** Its event has not come yet. */
        PENDING,
        JOINED,
        /** It has failed, or was lost with the manager: it exists only for the id. */
        NONE,
        /** Left before its event came, and still held: joined or failed, who knows. */
        UNKNOWN
    }

    private static final class Entry {
        final GroupMembership membership;
        final int group;
        boolean left;
        State state = State.PENDING;

        Entry(GroupMembership membership, int group) {
            this.membership = membership;
            this.group = group;
        }

        JoinState joinState() {
            return membership.mode() == Mode.FULL_MEMBER ? JoinState.FULL_MEMBER : JoinState.SEND_ONLY_FULL_MEMBER;
        }
    }

    /** An id with the memberships that the kernel has of it, oldest first. */
    private static final class Id {
        final GroupMember member;
        final List<Entry> entries = new ArrayList<>();

        Id() throws RdmaException {
            member = new GroupMember();
        }

        List<Entry> open() {
            return entries.stream().filter(entry -> !entry.left).toList();
        }

        void leave(Entry entry) throws RdmaException {
            entry.membership.close();
            entry.left = true;
            for (int i = entries.size() - 1; i >= 0; i--) {
                if (entries.get(i).group == entry.group) {
                    if (!entries.get(i).left) {
                        return;
                    }
                    entries.remove(i);
                }
            }
        }
    }

    private final Random random;
    private final int number = CASES.incrementAndGet();
    private final SaClient client = SaClient.open(Ib.DEVICE, Ib.PORT);
    private final SaClient otherPort = SaClient.open(Ib.OTHER_DEVICE, Ib.PORT);
    private final MulticastGroups groups = new MulticastGroups(client);
    private final List<Id> ids = new ArrayList<>();
    private final List<String> log = new ArrayList<>();

    /** By group: the states that the manager may have granted after the kernel had given up. */
    private final List<Set<JoinState>> stale = new ArrayList<>();

    JoinModel(Random random) throws RdmaException, InterruptedException {
        this.random = random;
        for (int i = 0; i < IDS; i++) {
            ids.add(new Id());
        }
        for (int group = 0; group < GROUPS; group++) {
            stale.add(EnumSet.noneOf(JoinState.class));
        }
        joinOtherPort();
    }

    private InetSocketAddress address(int group) {
        return new InetSocketAddress("239.79." + number % 256 + "." + (group + 1), 0);
    }

    private Gid mgid(int group) {
        return MulticastGid.rdmaCm(address(group).getAddress(), 0xffff, MulticastGid.SCOPE_LINK)
                .gid();
    }

    private void joinOtherPort() throws RdmaException, InterruptedException {
        for (int group = 0; group < LAST; group++) {
            McMemberRecord unused = new MulticastGroups(otherPort)
                    .join(JoinRequest.creating(
                            mgid(group), JoinState.FULL_MEMBER, McMemberRecord.newGroup(QKEY, 0xffff)));
        }
    }

    /** Joins or leaves a group, or closes an id. */
    void operate() throws RdmaException {
        int index = random.nextInt(IDS);
        Id id = ids.get(index);
        List<Entry> open = id.open();
        int choice = random.nextInt(20);
        if (choice == 0) {
            log.add("close " + index);
            id.member.close();
            ids.set(index, new Id());
        } else if (choice < 9 && !open.isEmpty()) {
            Entry entry = open.get(random.nextInt(open.size()));
            log.add("leave " + index + " " + entry.membership);
            id.leave(entry);
        } else {
            int group = random.nextInt(GROUPS);
            Mode mode = group == LAST || random.nextBoolean() ? Mode.FULL_MEMBER : Mode.SEND_ONLY_FULL_MEMBER;
            log.add("join " + index + " " + group + " " + mode);
            id.entries.add(new Entry(id.member.begin(address(group), mode), group));
        }
    }

    /** Waits until each join has ended and the manager knows what it has to. */
    void settle() throws Exception {
        log.add("settle");
        for (Id id : ids) {
            for (Entry entry = pending(id); entry != null; entry = pending(id)) {
                CmEvent event = next(id);
                Entry told = told(id, event);
                if (event.type() == CmEventType.MULTICAST_JOIN) {
                    told.state = State.JOINED;
                } else {
                    assertThat(event.status()).as("%s: %s", log, event).isEqualTo(TIMED_OUT);
                    told.state = State.NONE;
                    stale.get(told.group).add(told.joinState());
                }
            }
            forgetPending(id);
            assertThat(id.member.channel.pollEvent()).as("%s", log).isEmpty();
        }
        for (int group = 0; group < GROUPS; group++) {
            assertKnown(group);
        }
    }

    private static @Nullable Entry pending(Id id) {
        return id.open().stream()
                .filter(entry -> entry.state == State.PENDING)
                .findFirst()
                .orElse(null);
    }

    private static void forgetPending(Id id) {
        id.entries.stream().filter(entry -> entry.state == State.PENDING).forEach(entry -> entry.state = State.UNKNOWN);
    }

    private CmEvent next(Id id) throws RdmaException, InterruptedException {
        CmEvent event = id.member
                .channel
                .awaitEvent(Await.LIMIT)
                .orElseThrow(() -> new AssertionError("no event after " + log));
        event.ack();
        return event;
    }

    private Entry told(Id id, CmEvent event) {
        return id.open().stream()
                .filter(entry -> event.membership().equals(Optional.of(entry.membership)))
                .findFirst()
                .orElseThrow(() -> new AssertionError(event + " is of no membership after " + log));
    }

    /** The join states of a group in which entries of this state are. */
    private Set<JoinState> states(int group, State state) {
        Set<JoinState> found = EnumSet.noneOf(JoinState.class);
        ids.stream()
                .flatMap(id -> id.entries.stream())
                .filter(entry -> entry.group == group && entry.state == state)
                .forEach(entry -> found.add(entry.joinState()));
        return found;
    }

    private void assertKnown(int group) {
        Set<JoinState> required = states(group, State.JOINED);
        Set<JoinState> possible = EnumSet.copyOf(required);
        possible.addAll(states(group, State.UNKNOWN));
        possible.addAll(stale.get(group));
        String what = "group " + group + " has " + required + ", at most " + possible + ", after " + log;
        Await.until(what, () -> {
            Set<JoinState> known = known(group);
            return known.containsAll(required) && possible.containsAll(known);
        });
    }

    private Set<JoinState> known(int group) {
        try {
            return groups.membership(mgid(group), Ib.SM_KEY);
        } catch (RdmaException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** The manager dies, the ids go on, and a new manager takes all memberships away. */
    void restart(int operations) throws Exception {
        log.add("kill");
        Ib.killManager();
        List<Set<JoinState>> left = allJoined();
        left.forEach(Set::clear);
        for (int i = 0; i < operations; i++) {
            List<Set<JoinState>> before = allJoined();
            operate();
            for (int group = 0; group < GROUPS; group++) {
                before.get(group).removeAll(states(group, State.JOINED));
                left.get(group).addAll(before.get(group));
            }
            settleWithoutManager(left);
        }
        log.add("start");
        Ib.startManager();
        for (Id id : ids) {
            for (long lost = joined(id); lost > 0; lost--) {
                CmEvent event = next(id);
                assertThat(event.status()).as("%s: %s", log, event).isEqualTo(RESET);
                assertThat(told(id, event).state).as("%s: %s", log, event).isEqualTo(State.JOINED);
                told(id, event).state = State.NONE;
            }
            id.entries.forEach(entry -> entry.state = State.NONE);
        }
        stale.forEach(Set::clear);
        joinOtherPort();
        settle();
    }

    private List<Set<JoinState>> allJoined() {
        List<Set<JoinState>> all = new ArrayList<>();
        for (int group = 0; group < GROUPS; group++) {
            all.add(states(group, State.JOINED));
        }
        return all;
    }

    private static long joined(Id id) {
        return id.open().stream().filter(entry -> entry.state == State.JOINED).count();
    }

    /**
     * The kernel grants by itself what it is a member of already; all else is refused.
     *
     * @param left by group: what the ids have left, each in its time, of which the kernel may be a member still
     */
    private void settleWithoutManager(List<Set<JoinState>> left) throws Exception {
        for (Id id : ids) {
            Entry entry = pending(id);
            if (entry == null) {
                continue;
            }
            CmEvent event = next(id);
            assertThat(told(id, event)).isSameAs(entry);
            if (!states(entry.group, State.UNKNOWN).contains(entry.joinState())
                    && !left.get(entry.group).contains(entry.joinState())) {
                int expected = states(entry.group, State.JOINED).contains(entry.joinState()) ? 0 : INVALID;
                assertThat(event.status()).as("%s: %s", log, event).isEqualTo(expected);
            }
            entry.state = event.type() == CmEventType.MULTICAST_JOIN ? State.JOINED : State.NONE;
        }
    }

    /** Closes all ids, after which the port is in no group. */
    void closeAll() throws Exception {
        log.add("close all");
        for (Id id : ids) {
            id.member.close();
            id.entries.clear();
        }
        for (int group = 0; group < GROUPS; group++) {
            assertKnown(group);
        }
    }

    @Override
    public void close() throws RdmaException {
        for (Id id : ids) {
            id.member.close();
        }
        client.close();
        otherPort.close();
    }
}
