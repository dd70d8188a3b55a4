// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.sa;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.mad.SaAttributes;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.ModelSubnetAdministration;
import io.github.rdma4j.sm.ScriptedTransport;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.PathTemplate;
import io.github.rdma4j.sm.mad.ServiceRecord;
import io.github.rdma4j.umad.LocalPort;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.LinkLayer;
import io.github.rdma4j.verbs.attr.PathRecord;
import io.github.rdma4j.verbs.attr.PathRecord.Selected;
import io.github.rdma4j.verbs.attr.PortAttr;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

class SaCommandTest {
    private static final Gid GROUP = Gid.parse("ff12:401b:ffff:0000:0000:0000:0f00:0005");
    private static final Gid PORT = Gid.parse("fe80:0000:0000:0000:0002:c903:00a0:0004");
    private static final Gid OTHER = Gid.parse("fe80:0000:0000:0000:0002:c903:00a0:0007");
    private static final McMemberRecord.Template PARAMETERS = McMemberRecord.newGroup(0xb1b, 0xffff)
            .mtu(Selected.exactly(4))
            .rate(Selected.exactly(3))
            .sl(2);

    private final ModelSubnetAdministration subnet = new ModelSubnetAdministration();
    private final StringWriter said = new StringWriter();
    private final StringWriter complained = new StringWriter();

    private int run(String arguments) {
        said.getBuffer().setLength(0);
        complained.getBuffer().setLength(0);
        return line((device, port) -> subnet.attach()).execute(arguments.split(" "));
    }

    private CommandLine line(SaCommand.PortOpener ports) {
        return new CommandLine(new SaCommand(ports))
                .setOut(new PrintWriter(said))
                .setErr(new PrintWriter(complained))
                .setExecutionExceptionHandler((e, command, parsed) -> {
                    command.getErr().println(e.getMessage());
                    return 1;
                });
    }

    private String output(String arguments) {
        assertThat(run(arguments)).as("%s", complained).isZero();
        return said.toString();
    }

    @Test
    void groupsAsATable() {
        subnet.join(GROUP, OTHER, 1, PARAMETERS);
        assertThat(output("groups")).isEqualTo("""
            MGID                                     group      MLID    P_Key   Q_Key       MTU   Gb/s  SL  TClass  flow  hops
            ff12:401b:ffff:0000:0000:0000:0f00:0005  239.0.0.5  0xc001  0xffff  0x00000b1b  2048  10    2   0       0     0
            """);
    }

    @Test
    void groupsAsJson() {
        subnet.join(GROUP, OTHER, 1, PARAMETERS);
        assertThat(output("groups --json").lines().toList())
                .containsExactly(
                        "[ {",
                        "  \"mgid\" : \"ff12:401b:ffff:0000:0000:0000:0f00:0005\",",
                        "  \"group\" : \"239.0.0.5\",",
                        "  \"mlid\" : 49153,",
                        "  \"pkey\" : 65535,",
                        "  \"qkey\" : 2843,",
                        "  \"mtu\" : 2048,",
                        "  \"rateGbps\" : 10,",
                        "  \"sl\" : 2,",
                        "  \"trafficClass\" : 0,",
                        "  \"flowLabel\" : 0,",
                        "  \"hopLimit\" : 0",
                        "} ]");
    }

    @Test
    void nothingIsSaidToBeNothing() {
        assertThat(output("groups")).isEqualTo("no groups\n");
        assertThat(output("members")).isEqualTo("no members\n");
        assertThat(output("services")).isEqualTo("no services\n");
        assertThat(output("groups --json")).isEqualTo("[ ]\n");
    }

    @Test
    void membersAreShownToWhoHasTheKey() {
        subnet.join(GROUP, OTHER, 9, PARAMETERS);
        assertThat(output("members 239.0.0.5 --sm-key 1")).isEqualTo("""
            MGID                                     group      MLID    port GID                                 \
            as                                 by proxy
            ff12:401b:ffff:0000:0000:0000:0f00:0005  239.0.0.5  0xc001  fe80:0000:0000:0000:0002:c903:00a0:0007  \
            full-member,send-only-full-member  false
            """);
        assertThat(output("members ff12:401b:ffff::f00:5")).contains("--sm-key");
        assertThat(output("members ff12:401b:ffff::f00:5 --json"))
                .contains("\"joinState\" : [ ]")
                .doesNotContain("--sm-key");
        assertThat(output("members -k 0x1 --json"))
                .contains("\"joinState\" : [ \"full-member\", \"send-only-full-member\" ]");
    }

    @Test
    void joinsAndLeaves() {
        assertThat(output("join 239.0.0.5 --qkey 0xb1b --mtu 2048 --rate 10 --sl 2"))
                .contains("MLID      0xc001")
                .contains("as        full-member");
        assertThat(subnet.member(GROUP, PORT)).isEqualTo(1);
        assertThat(output("join ff12:401b:ffff::f00:5 --as send-only-full-member --json"))
                .contains("\"joinState\" : [ \"full-member\", \"send-only-full-member\" ]");
        output("leave 239.0.0.5 --as full-member,send-only-full-member");
        assertThat(subnet.exists(GROUP)).isFalse();
    }

    /** What members shows, join and leave take. */
    @Test
    void joinsAsWhatMembersShows() {
        subnet.join(GROUP, OTHER, 9, PARAMETERS);
        String shown = "full-member,send-only-full-member";
        assertThat(output("members 239.0.0.5 -k 1")).contains(shown);
        assertThat(output("join 239.0.0.5 --as " + shown)).contains("as        " + shown);
        assertThat(subnet.member(GROUP, PORT)).isEqualTo(9);
        assertThat(subnet.log()).contains("Set MCMemberRecord 9");
        output("leave 239.0.0.5 --as " + shown);
        assertThat(subnet.member(GROUP, PORT)).isZero();
    }

    @Test
    void tellsWhatTheSubnetManagerDroppedBesides() {
        output("join 239.0.0.5 --qkey 0xb1b --as full-member,non-member");
        assertThat(output("leave 239.0.0.5 --sm-key 1"))
                .contains("dropped   non-member")
                .contains("The port still had non-member, which the subnet manager has dropped with it");
        output("join 239.0.0.5 --qkey 0xb1b --as full-member,non-member");
        assertThat(output("leave 239.0.0.5 --as non-member --sm-key 1"))
                .contains("dropped   -")
                .doesNotContain("still had");
        assertThat(output("leave 239.0.0.5 --as full-member --sm-key 1 --json"))
                .contains("\"dropped\" : [ ]")
                .doesNotContain("still had");
    }

    @Test
    void leavesForAnotherPort() {
        subnet.join(GROUP, OTHER, 1, PARAMETERS);
        assertThat(output("leave 239.0.0.5 --for fe80::2:c903:a0:7 --json")).contains("\"portGid\" : \"" + OTHER + '"');
        assertThat(subnet.exists(GROUP)).isFalse();
    }

    @Test
    void theConnectionManagersGroupsHaveTheirMapping() {
        output("join 239.0.0.5 --rdma-cm --qkey 0x01234567");
        assertThat(subnet.exists(Gid.parse("ff12:4001:ffff:0000:0000:0000:0f00:0005")))
                .isTrue();
        output("join 239.0.0.5 --pkey 0x123 --scope 5 --qkey 1");
        assertThat(subnet.exists(Gid.parse("ff15:401b:8123:0000:0000:0000:0f00:0005")))
                .isTrue();
    }

    @Test
    void aRefusalIsAFailure() {
        assertThat(run("join 239.0.0.5")).isEqualTo(1);
        assertThat(complained).asString().contains("There is no such group");
    }

    @Test
    void whatSubnetAdministrationCanDo() {
        assertThat(output("class-port-info"))
                .contains("device                  model0")
                .contains("subnet manager's LID    1")
                .contains("send-only full members  true")
                .contains("response time, us       268435");
        assertThat(output("class-port-info --json")).contains("\"capabilityMask2\" : 46568");
    }

    @Test
    void aPath() {
        subnet.add(
                SaAttributes.PATH_RECORD,
                PathTemplate.empty()
                        .sgid(PORT)
                        .dgid(OTHER)
                        .slid(4)
                        .dlid(6)
                        .pkey(0xffff)
                        .mtu(PathRecord.Selected.exactly(4))
                        .rate(PathRecord.Selected.exactly(7))
                        .packetLifeTime(PathRecord.Selected.exactly(18)));
        for (String name : List.of("fe80::2:c903:a0:7", "6", "0x6")) {
            assertThat(output("path " + name))
                    .contains("from LID       4")
                    .contains("to LID         6")
                    .contains("Gb/s           40")
                    .contains("life time, us  1073741");
        }
        assertThat(output("path 6 --json")).contains("\"dlid\" : 6");
    }

    @Test
    void services() {
        subnet.add(
                SaAttributes.SERVICE_RECORD,
                ServiceRecord.template()
                        .serviceId(0x1234)
                        .gid(OTHER)
                        .pkey(0xffff)
                        .leaseSeconds(ServiceRecord.FOR_EVER)
                        .name("here"));
        subnet.add(
                SaAttributes.SERVICE_RECORD,
                ServiceRecord.template()
                        .serviceId(5)
                        .gid(PORT)
                        .pkey(0xffff)
                        .leaseSeconds(60)
                        .name("there"));
        assertThat(output("services --name here"))
                .contains("here   0x0000000000001234  " + OTHER + "  0xffff  for ever")
                .contains("there  0x0000000000000005  " + PORT + "  0xffff  60");
        assertThat(output("services --json"))
                .contains("\"leaseSeconds\" : null")
                .contains("\"leaseSeconds\" : 60");
    }

    @Test
    void roceHasNoSubnetManager() {
        LocalPort port = subnet.port();
        subnet.port(new LocalPort(
                "rxe0", 1, PortAttr.State.ACTIVE.code(), LinkLayer.ETHERNET, 0, 0, 0, 0, port.gid(), port.pkeys()));
        assertThat(run("groups")).isEqualTo(1);
        assertThat(complained)
                .asString()
                .contains("there is no subnet manager on RoCE")
                .contains("rxe0");
    }

    @Test
    @Timeout(60)
    void watchingEndsWithItsPort() throws Exception {
        ScriptedTransport transport = new ScriptedTransport(true);
        CompletableFuture<Integer> status = CompletableFuture.supplyAsync(
                () -> line((device, port) -> transport).execute("watch", "--renew", "1000"));
        for (int trap = 0; trap < 2; trap++) {
            ScriptedTransport.Sent request = transport.next();
            transport.answer(request, 0, 0, new byte[36]);
        }
        transport.failReceiving(new RdmaException("the device has gone"));
        assertThat(status.get()).isEqualTo(1);
        assertThat(complained).asString().contains("the device has gone");
        assertThat(transport.isClosed()).isTrue();
    }

    @Test
    void aPortThatCannotBeOpened() {
        CommandLine line = line((device, port) -> {
            throw new RdmaException("no " + device + "/" + port);
        });
        assertThat(line.execute("groups", "-d", "mlx5_0", "-p", "2")).isEqualTo(1);
        assertThat(complained).asString().contains("no mlx5_0/2");
    }
}
