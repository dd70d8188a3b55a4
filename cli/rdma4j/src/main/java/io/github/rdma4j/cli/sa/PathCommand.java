// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.sa;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.SaClient;
import io.github.rdma4j.sm.mad.ClassPortInfo;
import io.github.rdma4j.sm.mad.PathTemplate;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.PathRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rdma4j sa path}. */
@Command(name = "path", description = "Show a path from the port to another port.", mixinStandardHelpOptions = true)
final class PathCommand extends SaSession {
    private static final long NANOS_PER_MICRO = 1000;

    @Parameters(paramLabel = "PORT", description = "The destination: a GID such as fe80::2:c903:a0:7, or a LID.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String to;

    @Option(names = "--from", paramLabel = "GID", description = "GID of another port to start from.")
    private @Nullable String from;

    PathCommand() {}

    @Override
    void check() {
        addDestination(PathTemplate.empty());
        if (from != null) {
            parsedGid(from);
        }
    }

    private void addDestination(PathTemplate path) {
        if (to.indexOf(':') >= 0) {
            path.dgid(parsedGid(to));
            return;
        }
        try {
            path.dlid(Integer.decode(to));
        } catch (IllegalArgumentException e) {
            throw wrong(to + " is neither a GID nor a LID");
        }
    }

    @Override
    void run(SaClient client, Output output) throws RdmaException, InterruptedException {
        Gid source = from == null ? client.port().gid() : GroupName.gid(from);
        PathTemplate wanted = PathTemplate.empty().sgid(source).reversible(true).numbPath(1);
        addDestination(wanted);
        PathRecord path = client.call(SaRequest.get(wanted));
        output.single(List.of(
                Field.of("sgid", "from GID", path.sgid().toString()),
                Field.of("slid", "from LID", path.slid()),
                Field.of("dgid", "to GID", path.dgid().toString()),
                Field.of("dlid", "to LID", path.dlid()),
                Field.hex("pkey", "P_Key", path.pkey(), 4),
                Field.of("sl", "SL", path.sl()),
                Field.of("mtu", "MTU", Units.mtuBytes(path.mtu().code())),
                Field.of("rateGbps", "Gb/s", Units.gigabits(path.rate().code())),
                Field.of(
                        "lifeTimeMicros",
                        "life time, us",
                        ClassPortInfo.time(path.packetLifeTime().code() & 0x1f).toNanos() / NANOS_PER_MICRO),
                Field.of("hopLimit", "hops", path.hopLimit()),
                Field.of("trafficClass", "TClass", path.trafficClass()),
                Field.of("flowLabel", "flow", path.flowLabel())));
    }
}
