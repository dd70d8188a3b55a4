// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.McMemberRecord.JoinState;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.attr.Gid;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;

/**
 * Kills OpenSM again and again on a simulated fabric, and starts it again, while threads join, leave and ask. Needs
 * OpenSM and ibsim, and a network namespace of its own or free UDP ports from 17070.
 *
 * <pre>{@code
 * SubnetManagerChurn.Outcome outcome = SubnetManagerChurn.run(20, 6);
 * if (!outcome.faults().isEmpty()) ...
 * }</pre>
 *
 * <p>As a program: {@code java ... io.github.rdma4j.sm.SubnetManagerChurn KILLS THREADS} prints the outcome, and ends with
 * status 1 when there are faults.
 */
public final class SubnetManagerChurn {
    /** A request that finds nobody fails after three seconds. */
    private static final SaOptions OPTIONS =
            SaOptions.builder().firstTimeout(Duration.ofMillis(50)).attempts(6).build();

    private static final int LASTING = 5;

    private final IbsimFabric fabric;
    private final SaClient client;
    private final MembershipRegistry registry;
    private final LongAdder requests = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private volatile boolean stop;

    /**
     * What came of it.
     *
     * @param kills how often OpenSM was killed
     * @param requests how many requests and joins the threads made
     * @param failures how many of them failed, as they may
     * @param statistics of the client that all threads used
     * @param faults what must not be; empty if all is well
     */
    public record Outcome(
            int kills, long requests, long failures, SaClient.Statistics statistics, List<String> faults) {}

    private SubnetManagerChurn(IbsimFabric fabric) {
        this.fabric = fabric;
        this.client = fabric.client("HcaB", OPTIONS);
        this.registry = new MembershipRegistry(client, Runnable::run);
    }

    public static void main(String[] arguments) throws Exception {
        Outcome outcome = run(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
        System.out.println(outcome);
        System.exit(outcome.faults().isEmpty() ? 0 : 1);
    }

    /** Kills OpenSM {@code kills} times under {@code threads} threads. */
    public static Outcome run(int kills, int threads) throws Exception {
        try (IbsimFabric fabric = IbsimFabric.start(FabricPlan.ofAdapters(3))) {
            return new SubnetManagerChurn(fabric).churn(kills, threads);
        }
    }

    private Outcome churn(int kills, int threads) throws Exception {
        List<String> faults = new ArrayList<>();
        List<MulticastMembership> lasting = new ArrayList<>();
        for (int i = 0; i < LASTING; i++) {
            lasting.add(registry.join(GroupScene.creating(GroupScene.newGroup(), JoinState.FULL_MEMBER)));
        }
        List<Await.Running<Void>> workers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int kind = i;
            workers.add(Await.inThread(() -> work(kind)));
        }
        for (int kill = 0; kill < kills; kill++) {
            awaitRequests();
            fabric.killManager();
            awaitRequests();
            fabric.openSm().start();
            registry.portChanged();
        }
        stop = true;
        for (Await.Running<Void> worker : workers) {
            try {
                worker.result();
            } catch (Exception | AssertionError e) {
                faults.add("a thread ended with " + e);
            }
        }
        registry.portChanged();
        lookAtMemberships(lasting, faults);
        registry.close();
        Await.until("no request is under way", () -> client.outstanding() == 0);
        Outcome outcome = new Outcome(kills, requests.sum(), failures.sum(), client.statistics(), List.copyOf(faults));
        client.close();
        return outcome;
    }

    /** While there is no subnet manager requests end only slowly; one more is enough. */
    private void awaitRequests() {
        long before = requests.sum();
        Await.until("another request", () -> requests.sum() > before);
    }

    private void lookAtMemberships(List<MulticastMembership> lasting, List<String> faults) throws Exception {
        MulticastGroups witness = new MulticastGroups(fabric.client("HcaC"));
        Gid port = client.port().gid();
        for (MulticastMembership membership : lasting) {
            Set<JoinState> states = witness.membership(membership.mgid(), port, GroupScene.SM_KEY);
            if (!membership.isMember() || !states.equals(Set.of(JoinState.FULL_MEMBER))) {
                faults.add(membership + " has the states " + states + " at the subnet manager");
            }
        }
    }

    private Void work(int kind) throws Exception {
        while (!stop) {
            try {
                switch (kind % 3) {
                    case 0 -> joinAndLeave();
                    case 1 -> askAtOnce();
                    default -> client.call(SaRequest.getTable(McMemberRecord.template()));
                }
            } catch (RdmaException e) {
                failures.increment();
            }
            requests.increment();
        }
        return null;
    }

    private void joinAndLeave() throws RdmaException, InterruptedException {
        try (MulticastMembership membership =
                registry.join(GroupScene.creating(GroupScene.newGroup(), JoinState.FULL_MEMBER))) {
            if (membership.mlid() == 0) {
                throw new AssertionError("a group without MLID");
            }
        }
    }

    private void askAtOnce() throws InterruptedException, TimeoutException {
        List<CompletableFuture<?>> futures = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            futures.add(client.submit(SaRequest.classPortInfo()));
        }
        for (CompletableFuture<?> future : futures) {
            try {
                future.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                failures.increment();
            }
        }
    }
}
