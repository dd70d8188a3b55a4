// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.sa;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.JoinState;
import io.github.rdma4j.sm.MulticastGroups;
import io.github.rdma4j.sm.SaClient;
import io.github.rdma4j.verbs.abi.Gid;
import java.util.ArrayList;
import java.util.List;
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
            "the kernel."
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

    LeaveCommand() {}

    @Override
    void check() {
        parsed(group);
        parsedStates();
        if (portGid != null) {
            parsedGid(portGid);
        }
    }

    private List<JoinState> parsedStates() {
        return states.stream().map(this::parsedState).toList();
    }

    @Override
    void run(SaClient client, Output output) throws RdmaException, InterruptedException {
        Gid mgid = group.mgid();
        Gid port = portGid == null ? client.port().gid() : GroupName.gid(portGid);
        new MulticastGroups(client).leave(mgid, port, parsedStates());
        List<Field> fields = new ArrayList<>();
        fields.add(Field.of("mgid", "left", mgid.toString()));
        fields.add(Field.of("portGid", "port GID", port.toString()));
        fields.add(Field.list("joinState", "as", states));
        output.single(fields);
    }
}
