// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.sa;

import io.github.rdma4j.cli.run.Field;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.MulticastGroups;
import io.github.rdma4j.sm.SaClient;
import io.github.rdma4j.sm.mad.McMemberRecord.JoinState;
import io.github.rdma4j.verbs.attr.Gid;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code rdma4j sa leave}. */
@Command(
        name = "leave",
        description = "Leave a multicast group with the port.",
        footer = {
            "",
            "Subnet administration does not count memberships: other programs of the port, and the kernel, lose the"
                    + " group",
            "too. When the last full member leaves, the group is deleted with all other memberships. OpenSM 3.3.23"
                    + " also",
            "drops the send-only-full-member state of a port that gives up full-member. With --sm-key the command"
                    + " shows the",
            "states that the port has lost in addition. To keep one of several states, leave all of them and join"
                    + " again."
        })
final class LeaveCommand extends SaSession {
    @Mixin
    private final GroupName group = new GroupName();

    @Option(
            names = "--as",
            paramLabel = "STATE",
            split = ",",
            description = "States to give up; separate several with commas (full-member).")
    private List<String> states = List.of("full-member");

    @Option(names = "--for", paramLabel = "GID", description = "GID of another port, for which the group was joined.")
    private @Nullable String portGid;

    @Mixin
    private final SmKey smKey = new SmKey();

    @Override
    void check() {
        parsed(group::mgid);
        parsedStates(states);
        if (portGid != null) {
            parsedGid(portGid);
        }
    }

    @Override
    void run(SaClient client) throws RdmaException, InterruptedException {
        Gid mgid = group.mgid();
        Gid port = portGid == null ? client.port().gid() : GroupName.gid(portGid);
        MulticastGroups groups = new MulticastGroups(client);
        Set<JoinState> earlier = known(groups, mgid, port);
        List<JoinState> left = parsedStates(states);
        groups.leave(mgid, port, left);
        Set<JoinState> after = known(groups, mgid, port);
        List<String> dropped = GroupFields.names(earlier.stream()
                .filter(state -> !left.contains(state) && !after.contains(state))
                .sorted()
                .toList());

        List<Field> fields = new ArrayList<>();
        fields.add(Field.of("mgid", "left", mgid.toString()));
        fields.add(Field.of("portGid", "port GID", port.toString()));
        fields.add(Field.list("joinState", "as", GroupFields.names(left)));
        if (smKey.value != 0) {
            fields.add(Field.list("dropped", "dropped", dropped));
        }
        single(fields);
        if (!dropped.isEmpty()) {
            remark("The port still had " + String.join(",", dropped)
                    + ", which the subnet manager has dropped with it. Join again to restore it.");
        }
    }

    /** The states of the port; empty without the key, because the subnet manager shows states only with the key. */
    private Set<JoinState> known(MulticastGroups groups, Gid mgid, Gid port)
            throws RdmaException, InterruptedException {
        return smKey.value != 0 ? groups.membership(mgid, port, smKey.value) : Set.of();
    }
}
