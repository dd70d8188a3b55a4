// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.sa;

import io.github.rdma4j.cli.run.Field;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.MulticastGid;
import io.github.rdma4j.sm.SaClient;
import io.github.rdma4j.sm.SaException;
import io.github.rdma4j.sm.SaSubscription;
import io.github.rdma4j.sm.mad.InformInfo;
import io.github.rdma4j.sm.mad.Notice;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code rdma4j sa watch}. */
@Command(
        name = "watch",
        description =
                "Print multicast groups that are created and deleted, until interrupted; with --json an object per"
                        + " line.",
        footer = {"", "Only one process can watch a port at a time."})
final class WatchCommand extends SaSession {
    /** The maximum number of waiting reports, because output may be slower than the reports. */
    private static final int MAX_WAITING = 1024;

    @Option(names = "--ports", description = "Also print ports that come into service or go out of service.")
    private boolean ports;

    @Option(
            names = {"-c", "--count"},
            paramLabel = "N",
            description = "End after N events.")
    private @Nullable Integer count;

    @Option(
            names = "--renew",
            paramLabel = "S",
            description = "Seconds between renewals of the subscription, for a subnet manager that restarts"
                    + " (${DEFAULT-VALUE}).")
    private int renewSeconds = 30;

    @Override
    void check() {
        requireWithin("--renew", renewSeconds, 1, Integer.MAX_VALUE);
        requireWithin("--count", count, 1, Integer.MAX_VALUE);
    }

    @Override
    void run(SaClient client) throws RdmaException, InterruptedException {
        BlockingQueue<Optional<Notice>> notices = new LinkedBlockingQueue<>(MAX_WAITING);
        CompletableFuture<?> unused = client.ended().whenComplete((normally, failure) -> tellEnd(notices));
        List<SaSubscription> subscriptions = new ArrayList<>();
        try {
            // a common listener, so that the creation of a group is printed before its deletion
            Consumer<Notice> listener = notice -> put(notices, Optional.of(notice));
            for (int trap : traps()) {
                subscriptions.add(client.subscribe(InformInfo.ofTrap(trap), listener));
            }
            remark("watching " + client.port().device() + " port "
                    + client.port().port());
            show(client, notices, subscriptions);
        } finally {
            subscriptions.forEach(SaSubscription::close);
        }
    }

    private List<Integer> traps() {
        return ports
                ? List.of(Notice.GROUP_CREATED, Notice.GROUP_DELETED, Notice.GID_IN_SERVICE, Notice.GID_OUT_OF_SERVICE)
                : List.of(Notice.GROUP_CREATED, Notice.GROUP_DELETED);
    }

    /** Waits for room in the queue; meanwhile, the client drops and counts further reports. */
    private static void put(BlockingQueue<Optional<Notice>> notices, Optional<Notice> notice) {
        try {
            notices.put(notice);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Makes room for the end by dropping the waiting reports. */
    private static void tellEnd(BlockingQueue<Optional<Notice>> notices) {
        while (!notices.offer(Optional.empty())) {
            notices.clear();
        }
    }

    private void show(SaClient client, BlockingQueue<Optional<Notice>> notices, List<SaSubscription> subscriptions)
            throws RdmaException, InterruptedException {
        int shown = 0;
        long dropped = 0;
        while (count == null || shown < count) {
            Optional<Notice> notice = notices.poll(renewSeconds, TimeUnit.SECONDS);
            if (notice == null) {
                renew(subscriptions);
            } else if (notice.isEmpty()) {
                throw reason(client);
            } else {
                event(fields(notice.get()));
                shown++;
            }
            long now = client.statistics().droppedReports();
            if (now != dropped) {
                remark((now - dropped) + " events were dropped, because output is slower than events");
                dropped = now;
            }
        }
    }

    /** The reason for the end of the client. */
    private static RdmaException reason(SaClient client) throws InterruptedException {
        try {
            client.ended().get();
            return new RdmaException("the client of subnet administration was closed");
        } catch (ExecutionException e) {
            return e.getCause() instanceof RdmaException known ? known : new RdmaException(e.toString(), e);
        }
    }

    private void renew(List<SaSubscription> subscriptions) throws RdmaException, InterruptedException {
        try {
            for (SaSubscription subscription : subscriptions) {
                subscription.renew();
            }
        } catch (SaException e) {
            remark(String.valueOf(e.getMessage()));
        }
    }

    private static List<Field> fields(Notice notice) {
        String what = switch (notice.trapNumber()) {
            case Notice.GROUP_CREATED -> "group-created";
            case Notice.GROUP_DELETED -> "group-deleted";
            case Notice.GID_IN_SERVICE -> "port-in-service";
            case Notice.GID_OUT_OF_SERVICE -> "port-out-of-service";
            default -> "trap-" + notice.trapNumber();
        };
        return List.of(
                Field.of("event", "event", what),
                Field.of("gid", "GID", notice.gid().toString()),
                Field.of(
                        "group",
                        "group",
                        new MulticastGid(notice.gid()).ipv4Group().map(InetAddress::getHostAddress)));
    }
}
