// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.sa;

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
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code rdma4j sa watch}. */
@Command(
        name = "watch",
        description = "Multicast groups as they come and go, until interrupted; in JSON an object on each line.",
        footer = {"", "One process of a port can do this at a time."},
        mixinStandardHelpOptions = true)
final class WatchCommand extends SaSession {
    @Option(names = "--ports", description = "Ports, too, as they come into service and go out of it.")
    private boolean ports;

    @Option(
            names = {"-c", "--count"},
            paramLabel = "N",
            description = "End after so many.")
    private @Nullable Integer count;

    @Option(
            names = "--renew",
            paramLabel = "S",
            description =
                    "Subscribe again every so many seconds, for a subnet manager that restarted (${DEFAULT-VALUE}).")
    private int renewSeconds = 30;

    WatchCommand() {}

    @Override
    void check() {
        if (renewSeconds < 1) {
            throw wrong("--renew " + renewSeconds + " is not at least 1");
        }
        if (count != null && count < 1) {
            throw wrong("--count " + count + " is not at least 1");
        }
    }

    @Override
    void run(SaClient client, Output output) throws RdmaException, InterruptedException {
        BlockingQueue<Notice> notices = new LinkedBlockingQueue<>();
        List<SaSubscription> subscriptions = new ArrayList<>();
        try {
            for (int trap : traps()) {
                subscriptions.add(client.subscribe(InformInfo.ofTrap(trap), notices::add, null));
            }
            output.remark("watching " + client.port().device() + " port "
                    + client.port().port());
            show(notices, subscriptions, output);
        } finally {
            subscriptions.forEach(SaSubscription::close);
        }
    }

    private List<Integer> traps() {
        return ports
                ? List.of(Notice.GROUP_CREATED, Notice.GROUP_DELETED, Notice.GID_IN_SERVICE, Notice.GID_OUT_OF_SERVICE)
                : List.of(Notice.GROUP_CREATED, Notice.GROUP_DELETED);
    }

    private void show(BlockingQueue<Notice> notices, List<SaSubscription> subscriptions, Output output)
            throws RdmaException, InterruptedException {
        int shown = 0;
        while (count == null || shown < count) {
            Notice notice = notices.poll(renewSeconds, TimeUnit.SECONDS);
            if (notice == null) {
                renew(subscriptions, output);
            } else {
                output.event(fields(notice));
                shown++;
            }
        }
    }

    private static void renew(List<SaSubscription> subscriptions, Output output)
            throws RdmaException, InterruptedException {
        try {
            for (SaSubscription subscription : subscriptions) {
                subscription.renew(null);
            }
        } catch (SaException e) {
            output.remark(String.valueOf(e.getMessage()));
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
