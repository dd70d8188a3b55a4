// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.sa;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.MulticastGroups;
import io.github.rdma4j.sm.SaClient;
import io.github.rdma4j.sm.mad.McMemberRecord;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code rdma4j sa members}. */
@Command(
        name = "members",
        description = "List the members of a group, or of all groups.",
        mixinStandardHelpOptions = true)
final class MembersCommand extends SaSession {
    @Mixin
    private final GroupName group = new GroupName();

    @Mixin
    private final SmKey smKey = new SmKey();

    MembersCommand() {}

    @Override
    void check() {
        if (group.isGiven()) {
            parsed(group);
        }
    }

    @Override
    void run(SaClient client, Output output) throws RdmaException, InterruptedException {
        MulticastGroups groups = new MulticastGroups(client);
        List<McMemberRecord> members =
                group.isGiven() ? groups.members(group.mgid(), smKey.value()) : groups.members(smKey.value());
        output.table(members.stream().map(GroupFields::member).toList(), "no members");
        if (members.stream().anyMatch(member -> member.portGid().isZero())) {
            output.remark(
                    "The subnet manager shows members only with its key: give --sm-key (the default key of OpenSM is"
                            + " 1).");
        }
    }
}
