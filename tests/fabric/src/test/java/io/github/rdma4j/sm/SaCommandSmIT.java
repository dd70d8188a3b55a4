// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static io.github.rdma4j.sm.GroupScene.creating;
import static io.github.rdma4j.sm.GroupScene.newGroup;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.sa.SaCommand;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.mad.McMemberRecord.JoinState;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.attr.Gid;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** {@code ./rdma4j sa} asks OpenSM. */
@OnFabric
class SaCommandSmIT {
    private static IbsimFabric fabric;

    @BeforeAll
    static void startFabric() {
        fabric = IbsimFabric.start(FabricPlan.ofAdapters(3));
    }

    @AfterAll
    static void stopFabric() {
        fabric.close();
    }

    private static int run(StringWriter said, String... arguments) {
        return new CommandLine(new SaCommand((device, port) -> fabric.attachForReports("HcaB")))
                .setOut(new PrintWriter(said, true))
                .setErr(new PrintWriter(said, true))
                .execute(arguments);
    }

    private static String output(String... arguments) {
        StringWriter said = new StringWriter();
        assertThat(run(said, arguments)).as("%s", said).isZero();
        return said.toString();
    }

    @Test
    void joinsShowsAndLeaves() {
        assertThat(output("class-port-info")).contains("send-only full members  true");
        assertThat(output("join", "239.0.0.9", "--qkey", "0xb1b", "--rate", "10"))
                .contains("full-member");
        assertThat(output("groups")).contains("239.0.0.9", "255.255.255.255");
        assertThat(output("members", "239.0.0.9", "-k", "1")).contains("full-member");
        assertThat(fabric.saquery("HcaC", "-g")).contains("ff12:401b:ffff::f00:9");
        output("leave", "239.0.0.9");
        assertThat(output("groups", "--json")).doesNotContain("239.0.0.9");
        String lid = Integer.toString(lidOf("HcaC"));
        assertThat(output("path", lid, "--json")).contains("\"dlid\" : " + lid);
        assertThat(output("services")).contains("no services");
    }

    /** One command shows what the other takes; and what OpenSM does to a member with both states. */
    @Test
    void joinsWithTheStateNamesOfMembersAndReportsDroppedStates() {
        String both = "full-member,send-only-full-member";
        assertThat(output("join", "239.0.0.10", "--qkey", "0xb1b", "--as", both))
                .contains(both);
        assertThat(output("members", "239.0.0.10", "-k", "1")).contains(both);
        assertThat(output("leave", "239.0.0.10", "--as", "send-only-full-member", "-k", "1"))
                .doesNotContain("still had");
        output("join", "239.0.0.10", "--as", both);
        assertThat(output("leave", "239.0.0.10", "-k", "1"))
                .contains("The port still had send-only-full-member, which the subnet manager has dropped with it");
        assertThat(output("members", "239.0.0.10", "-k", "1")).contains("no members");
    }

    private static int lidOf(String adapter) {
        try (IbsimTransport there = fabric.attach(adapter)) {
            return there.port().lid();
        } catch (RdmaException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void watchesGroupsComeAndGo() throws Exception {
        Gid group = newGroup();
        StringWriter said = new StringWriter();
        Await.Running<Integer> watching = Await.inThread(() -> run(said, "watch", "--count", "2"));
        Await.until("it watches", () -> said.toString().contains("watching"));
        MulticastGroups groups = new MulticastGroups(fabric.client("HcaC"));
        groups.join(creating(group, JoinState.FULL_MEMBER));
        groups.leave(group, Set.of(JoinState.FULL_MEMBER));

        assertThat(watching.result()).isZero();
        String name = new MulticastGid(group).ipv4Group().orElseThrow().getHostAddress();
        assertThat(said.toString().lines().skip(1).toList())
                .isEqualTo(List.of("group-created  " + group + "  " + name, "group-deleted  " + group + "  " + name));
    }
}
