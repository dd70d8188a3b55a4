// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.sa;

import io.github.rdma4j.cli.run.RdmaCommand.AnyRadix;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.JoinRequest;
import io.github.rdma4j.sm.MulticastGroups;
import io.github.rdma4j.sm.SaClient;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.McMemberRecord.JoinState;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.PathMtu;
import io.github.rdma4j.verbs.attr.PathRecord;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code rdma4j sa join}. */
@Command(
        name = "join",
        description = "Join a multicast group with the port, and create the group if --qkey is given.",
        footer = {
            "",
            "The port stays a member after the command has ended: until a program leaves the group for it, its link is",
            "lost, or the subnet manager restarts. With --qkey and without GROUP the subnet administration chooses the"
                    + " MGID."
        })
final class JoinCommand extends SaSession {
    @Mixin
    private final GroupName group = new GroupName();

    @Option(
            names = "--as",
            paramLabel = "STATE",
            split = ",",
            description =
                    "full-member, non-member, send-only-non-member or send-only-full-member; separate several with"
                            + " commas, as in the output of members (full-member).")
    private List<String> states = List.of("full-member");

    @Option(
            names = "--qkey",
            paramLabel = "QKEY",
            converter = AnyRadix.class,
            description =
                    "Q_Key. Creates the group with this key if it does not exist; an existing group must have this"
                            + " key.")
    private @Nullable Integer qkey;

    @Option(names = "--sl", paramLabel = "N", description = "Service level of the new group.")
    private int sl;

    @Option(
            names = "--tclass",
            paramLabel = "N",
            converter = AnyRadix.class,
            description = "Traffic class of the new group.")
    private int trafficClass;

    @Option(
            names = "--flow-label",
            paramLabel = "N",
            converter = AnyRadix.class,
            description = "Flow label of the new group.")
    private int flowLabel;

    @Option(names = "--hop-limit", paramLabel = "N", description = "Hop limit of the new group.")
    private @Nullable Integer hopLimit;

    @Option(names = "--mtu", paramLabel = "BYTES", description = "MTU of the new group: 256, 512, 1024, 2048 or 4096.")
    private @Nullable Integer mtu;

    @Option(names = "--rate", paramLabel = "GBPS", description = "Rate of the new group in Gb/s, for example 10.")
    private @Nullable BigDecimal rate;

    @Override
    void check() {
        request();
    }

    private JoinRequest request() {
        McMemberRecord.Template parameters = parameters();
        if (!group.isGiven() && parameters == null) {
            throw wrong("the group is missing; give GROUP, or --qkey to create a group");
        }
        Gid mgid = group.isGiven() ? parsed(group::mgid) : new Gid(0, 0);
        JoinState state = parsedStates(states).get(0);
        return parameters == null ? JoinRequest.of(mgid, state) : JoinRequest.creating(mgid, state, parameters);
    }

    private McMemberRecord.@Nullable Template parameters() {
        if (qkey == null) {
            if (mtu != null || rate != null || hopLimit != null) {
                throw wrong("--mtu, --rate and --hop-limit are for a new group; give --qkey too");
            }
            return null;
        }
        McMemberRecord.Template parameters = McMemberRecord.newGroup(qkey, group.pkey())
                .sl(sl)
                .trafficClass(trafficClass)
                .flowLabel(flowLabel);
        if (hopLimit != null) {
            parameters.hopLimit(hopLimit);
        }
        Integer bytes = mtu;
        if (bytes != null) {
            parameters.mtu(PathRecord.Selected.exactly(PathMtu.ofBytes(bytes)
                    .map(PathMtu::code)
                    .orElseThrow(() ->
                            wrong("--mtu " + bytes + " is not an MTU; it must be 256, 512, 1024, 2048 or 4096"))));
        }
        BigDecimal gigabits = rate;
        if (gigabits != null) {
            parameters.rate(PathRecord.Selected.exactly(GroupFields.rateCode(gigabits)
                    .orElseThrow(() -> wrong("--rate " + gigabits + " is not a rate of InfiniBand"))));
        }
        return parameters;
    }

    @Override
    void run(SaClient client) throws RdmaException, InterruptedException {
        single(GroupFields.membership(new MulticastGroups(client).join(request(), parsedStates(states))));
    }
}
