// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.internal.mad.SaMethods;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.mad.InformInfo;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.McMemberRecord.JoinState;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.sm.mad.SaStatus;
import io.github.rdma4j.verbs.attr.Gid;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A program of random calls of {@link SaClient} and {@link MembershipRegistry}, a {@link LyingManager}, and what must
 * hold:
 *
 * <ul>
 *   <li>every request is answered or fails within {@link #longest()};
 *   <li>an answer is one that the manager gave to this request, and the end of a transfer fails a request only if it was
 *       that of the latest attempt;
 *   <li>acknowledgements go to the sender;
 *   <li>groups about which the manager answers nothing, or with refusals, keep no other group out of the fabric;
 *   <li>after the manager has become calm, a check makes the members that it knows those that the program holds, and
 *       none remain when all memberships are closed;
 *   <li>nothing is left: no request, no timer.
 * </ul>
 */
final class RandomProgram {
    private static final int STEPS = 40;
    private static final int GROUPS = 4;
    private static final List<JoinState> STATES = List.of(JoinState.values());
    private static final int[] STATUSES = {
        SaStatus.METHOD_ATTRIBUTE_NOT_SUPPORTED,
        SaStatus.NO_RESOURCES,
        SaStatus.REQUEST_INVALID,
        SaStatus.NO_RECORDS,
        SaStatus.TOO_MANY_RECORDS,
        SaStatus.INVALID_GID,
        SaStatus.INSUFFICIENT_COMPONENTS,
        SaStatus.REQUEST_DENIED,
        SaStatus.PRIORITY_SUGGESTED,
        0x7f00
    };

    private final Random random;
    private final Duration firstTimeout;
    private final int attempts;
    private final VirtualClock clock;
    private final LyingPort port;
    private final LyingManager manager;
    private final SaClient client;
    private final MembershipRegistry registry;
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final List<MulticastMembership> open = new ArrayList<>();
    private final Map<Integer, CompletableFuture<List<McMemberRecord>>> submitted = new HashMap<>();
    private int number;

    RandomProgram(Random random) throws RdmaException {
        this.random = random;
        attempts = 1 + random.nextInt(4);
        boolean byResponseTime = random.nextInt(3) == 0;
        firstTimeout = byResponseTime ? Duration.ofMillis(5400) : Duration.ofMillis(200);
        clock = new VirtualClock(longest());
        port = new LyingPort(clock, random);
        manager = port.manager();
        SaOptions.Builder options = SaOptions.builder().attempts(attempts);
        client = SaClient.over(port, (byResponseTime ? options : options.firstTimeout(firstTimeout)).build(), clock);
        registry = new MembershipRegistry(client, tasks::add);
    }

    /** The longest time of a request: each attempt its timeout, a quarter more, and the limit of a transfer. */
    private Duration longest() {
        Duration all = Duration.ZERO;
        Duration timeout = firstTimeout;
        for (int i = 0; i < attempts + 4; i++) { // a redirection begins an attempt anew
            all = all.plus(timeout.multipliedBy(5).dividedBy(4)).plusSeconds(40);
            timeout = i < attempts - 1 ? timeout.multipliedBy(2) : timeout;
        }
        return all;
    }

    void run() throws Exception {
        try {
            for (int i = 0; i < STEPS; i++) {
                manager.trouble = random.nextInt(3) == 0 ? 0 : random.nextInt(100);
                step();
                runTasks();
                requireNothingWrong();
            }
            finish();
        } finally {
            Thread.interrupted();
            client.close();
        }
    }

    private void runTasks() {
        Runnable task = tasks.poll();
        while (task != null) {
            task.run();
            task = tasks.poll();
        }
    }

    private void step() throws Exception {
        switch (random.nextInt(16)) {
            case 0, 1, 2, 3 -> attempt(this::join);
            case 4, 5, 6 -> attempt(this::closeOne);
            case 7, 8 -> attempt(registry::check);
            case 9 -> registry.portChanged();
            case 10 -> submit();
            case 11 -> attempt(this::call);
            case 12 -> attempt(client::classPortInfo);
            case 13 -> attempt(this::subscribe);
            case 14 -> surprise();
            default -> oneBadGroup();
        }
    }

    private interface Call {
        void run() throws RdmaException, InterruptedException;
    }

    /** A failure or an interrupt of a call is no failure of the program. */
    private void attempt(Call call) {
        if (random.nextInt(30) == 0) {
            Thread.currentThread().interrupt();
        } else if (random.nextInt(3) == 0) {
            clock.later(random.nextInt(1_000_000_000), this::surprise);
        }
        try {
            call.run();
        } catch (RdmaException | InterruptedException expected) {
            // The next check makes up for it.
        } finally {
            Thread.interrupted();
        }
    }

    private Gid group(int index) {
        return new Gid(0xff12_401b_ffff_0000L, index);
    }

    private void join() throws RdmaException, InterruptedException {
        JoinState state = STATES.get(random.nextInt(4));
        McMemberRecord.Template parameters = McMemberRecord.newGroup(0xb1b, 0xffff);
        JoinRequest request = JoinRequest.creating(group(random.nextInt(GROUPS)), state, parameters);
        MulticastMembership joined =
                registry.join(random.nextInt(5) == 0 ? request.onBehalfOf(LyingPort.GID) : request);
        open.add(joined);
        require(joined.isMember(), joined + " has just joined");
    }

    private void closeOne() throws RdmaException {
        if (!open.isEmpty()) {
            open.remove(random.nextInt(open.size())).close();
        }
    }

    private SaRequest<List<McMemberRecord>> numbered() {
        return SaRequest.getTable(McMemberRecord.template().qkey(++number));
    }

    private void submit() {
        CompletableFuture<List<McMemberRecord>> future = client.submit(numbered());
        submitted.put(number, future);
        if (random.nextInt(5) == 0) {
            clock.later(random.nextInt(1_000_000_000), () -> future.cancel(true));
        }
    }

    private void call() throws RdmaException, InterruptedException {
        SaRequest<List<McMemberRecord>> request = numbered();
        int own = number;
        try {
            requireGiven(
                    own,
                    random.nextBoolean()
                            ? client.call(request)
                            : client.call(request, Duration.ofMillis(1 + random.nextInt(3000))));
        } catch (RdmaException e) {
            requireReason(own, e);
            throw e;
        }
    }

    private void subscribe() throws RdmaException, InterruptedException {
        client.subscribe(InformInfo.ofTrap(64 + random.nextInt(4)), notice -> {})
                .close();
    }

    /** Something happens to the manager, possibly while a request is under way. */
    private void surprise() {
        switch (random.nextInt(9)) {
            case 0, 1 -> manager.restart();
            case 2 -> port.managerMoves(7 + random.nextInt(3));
            case 3 -> manager.suspended = true;
            case 4, 5 -> manager.resume();
            case 6 -> port.active(random.nextBoolean());
            case 7 -> registry.portChanged();
            default -> mood(group(random.nextInt(GROUPS)));
        }
    }

    private void mood(Gid mgid) {
        Map<Integer, Integer> mood = manager.moods.computeIfAbsent(mgid, key -> new HashMap<>());
        int method = new int[] {SaMethods.SET, SaMethods.GET, SaMethods.DELETE}[random.nextInt(3)];
        if (random.nextInt(3) == 0) {
            mood.remove(method);
        } else {
            mood.put(method, random.nextInt(4) == 0 ? -1 : STATUSES[random.nextInt(STATUSES.length)]);
        }
    }

    // ---- what must hold

    /** Lets everything happen that is under way, then once more without trouble. */
    private void calmDown() {
        for (int i = 0; i < 2; i++) {
            manager.calm();
            port.active(true);
            while (clock.step()) {}
        }
        require(client.outstanding() == 0, "nothing will ever complete " + client.outstanding() + " attempts");
    }

    /** A manager that has forgotten all, and is good to all groups but one: two checks restore the others. */
    private void oneBadGroup() throws Exception {
        calmDown();
        Gid bad = group(random.nextInt(GROUPS));
        for (int i = 0; i < 3; i++) {
            mood(bad);
        }
        attemptCalmly(this::closeOne);
        manager.restart();
        attemptCalmly(registry::check);
        attemptCalmly(registry::check);
        for (MulticastMembership membership : open) {
            if (!membership.mgid().equals(bad)) {
                requireKnown(membership, "although only " + bad + " is bad");
            }
        }
        manager.moods.clear();
    }

    private void attemptCalmly(Call call) throws InterruptedException {
        try {
            call.run();
        } catch (RdmaException bad) {
            // Of the bad group.
        }
    }

    private int known(Gid mgid) {
        return manager.members.getOrDefault(mgid, Map.of()).getOrDefault(LyingPort.GID, 0);
    }

    /** A state that cannot create the group is lost with the group. */
    private void requireKnown(MulticastMembership membership, String when) {
        boolean isThere = (known(membership.mgid()) & membership.state().bit()) != 0;
        require(isThere == membership.isMember(), membership + ", at the manager: " + isThere + ", " + when);
        boolean canCreate = open.stream()
                .filter(other -> other.mgid().equals(membership.mgid()))
                .anyMatch(other -> other.state().createsGroup());
        require(isThere || !canCreate, membership + " is not in the fabric " + when);
    }

    private void finish() throws Exception {
        calmDown();
        registry.check();
        for (MulticastMembership membership : open) {
            requireKnown(membership, "after a check");
        }
        for (int i = 0; i < GROUPS; i++) {
            Gid mgid = group(i);
            if (open.stream().noneMatch(membership -> membership.mgid().equals(mgid))) {
                requireLeft(mgid);
            }
        }
        for (MulticastMembership membership : open) {
            membership.close();
        }
        open.clear();
        registry.check();
        for (int i = 0; i < GROUPS; i++) {
            requireLeft(group(i));
        }
        require(registry.memberships().isEmpty(), "memberships: " + registry.memberships());
        requireSubmittedAreDone();
        require(client.outstanding() == 0 && clock.waiting() == 0, clock.waiting() + " timers are left");
        requireNothingWrong();
    }

    /** A leave that was refused twice is not repeated, nor a leave after the answer that there is no such member. */
    private void requireLeft(Gid mgid) {
        require(
                (known(mgid) & ~manager.excused.getOrDefault(mgid, 0)) == 0,
                "nobody holds " + mgid + ", and the manager knows the states " + known(mgid));
    }

    private void requireSubmittedAreDone() throws Exception {
        for (Map.Entry<Integer, CompletableFuture<List<McMemberRecord>>> entry : submitted.entrySet()) {
            try {
                requireGiven(entry.getKey(), entry.getValue().get(30, TimeUnit.SECONDS));
            } catch (ExecutionException e) {
                requireReason(entry.getKey(), Objects.requireNonNull(e.getCause()));
            } catch (CancellationException mine) {
                // The program itself cancelled it.
            } catch (TimeoutException e) {
                throw new AssertionError("request " + entry.getKey() + " is never completed", e);
            }
        }
    }

    private void requireGiven(int own, List<McMemberRecord> answer) {
        Set<Integer> tags = manager.answers.getOrDefault(own, Set.of());
        for (int i = 0; i < answer.size(); i++) {
            McMemberRecord record = answer.get(i);
            require(
                    tags.contains(record.qkey())
                            && record.qkey() == answer.get(0).qkey()
                            && record.mlid() == i
                            && record.mgid().prefix() == answer.size(),
                    "request " + own + " got record " + i + " of " + answer.size() + ": " + record);
        }
        require(!tags.isEmpty(), "request " + own + " was answered by nobody");
    }

    private void requireReason(int own, Throwable failure) {
        if (String.valueOf(failure.getMessage()).contains("the transfer of the answer failed")) {
            List<Integer> ids = manager.attempts.getOrDefault(own, List.of());
            require(
                    manager.ended.contains(ids.get(ids.size() - 1)),
                    "request " + own + " failed with a former attempt: " + failure.getMessage());
        }
    }

    private void requireNothingWrong() {
        require(manager.wrong.isEmpty(), String.join("; ", manager.wrong));
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
