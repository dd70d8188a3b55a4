// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.sa;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.JoinState;
import io.github.rdma4j.sm.MulticastGroups;
import io.github.rdma4j.sm.SaClient;
import io.github.rdma4j.verbs.Gid;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code rdma4j sa leave}. */
@Command(
        name = "leave",
        description = "Take the port out of a multicast group.",
        footer = {
            "",
            "Subnet administration does not count: this also takes the group from other programs of the port, and from",
            "the kernel. The last full member takes the whole group with it, its own other states included, and OpenSM 3.3.23",
            "also drops a port that gives up full-member and would stay send-only-full-member: with --sm-key this command",
            "tells what the port has lost besides. To keep one of several states give up all of them and join again."
        },
        mixinStandardHelpOptions = true)
final class LeaveCommand extends SaSession {
    @Mixin
    private final GroupName group = new GroupName();

    @Option(
            names = "--as",
            paramLabel = "STATE",
            split = ",",
            description = "As what it joined, several with commas between (full-member).")
    private List<String> states = List.of("full-member");

    @Option(names = "--for", paramLabel = "GID", description = "Another port, which joined by proxy.")
    private @Nullable String portGid;

    @Mixin
    private final SmKey smKey = new SmKey();

    LeaveCommand() {}

    @Override
    void check() {
        parsed(group);
        parsedStates(states);
        if (portGid != null) {
            parsedGid(portGid);
        }
    }

    @Override
    void run(SaClient client, Output output) throws RdmaException, InterruptedException {
        Gid mgid = group.mgid();
        Gid port = portGid == null ? client.port().gid() : GroupName.gid(portGid);
        MulticastGroups groups = new MulticastGroups(client);
        Set<JoinState> before = known(groups, mgid, port);
        List<JoinState> left = parsedStates(states);
        groups.leave(mgid, port, left);
        List<String> dropped = GroupFields.names(lost(before, left, known(groups, mgid, port)));

        List<Field> fields = new ArrayList<>();
        fields.add(Field.of("mgid", "left", mgid.toString()));
        fields.add(Field.of("portGid", "port GID", port.toString()));
        fields.add(Field.list("joinState", "as", GroupFields.names(left)));
        if (smKey.isGiven()) {
            fields.add(Field.list("dropped", "dropped", dropped));
        }
        output.single(fields);
        if (!dropped.isEmpty()) {
            output.remark("The port still had " + String.join(",", dropped)
                    + ", which the subnet manager has dropped with it. Join again to have it back.");
        }
    }

    /** The states of the port; none without the key, which alone makes the subnet manager show them. */
    private Set<JoinState> known(MulticastGroups groups, Gid mgid, Gid port)
            throws RdmaException, InterruptedException {
        return smKey.isGiven() ? groups.membership(mgid, port, smKey.value()) : Set.of();
    }

    /** What the port had, did not give up, and has not any more. */
    private static Set<JoinState> lost(Set<JoinState> before, List<JoinState> left, Set<JoinState> after) {
        Set<JoinState> lost = EnumSet.noneOf(JoinState.class);
        lost.addAll(before);
        left.forEach(lost::remove);
        lost.removeAll(after);
        return lost;
    }
}
