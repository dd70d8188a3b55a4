// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.sa;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.MulticastGroups;
import io.github.rdma4j.sm.SaClient;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code rdma4j sa groups}. */
@Command(
        name = "groups",
        description = "List the multicast groups in the partitions of the port.",
        mixinStandardHelpOptions = true)
final class GroupsCommand extends SaSession {
    GroupsCommand() {}

    @Override
    void run(SaClient client, Output output) throws RdmaException, InterruptedException {
        List<List<Field>> groups = new MulticastGroups(client)
                .groups().stream().map(GroupFields::group).toList();
        output.table(groups, "no groups");
    }
}
