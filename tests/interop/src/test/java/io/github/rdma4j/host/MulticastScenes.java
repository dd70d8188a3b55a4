// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.host;

import io.github.rdma4j.cli.Main;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.GroupMembership;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.interop.PatientMckey;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.Igmp;
import io.github.rdma4j.program.RunningCommand;
import io.github.rdma4j.support.Program;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What {@link TwoNodesMulticastTest} has played on the first of two nodes; one line of the report for each finding. */
final class MulticastScenes {
    static final String HERE = "10.77.0.1";
    static final String THERE = "10.77.0.2";

    /** What node 1 sends to: three receivers of the first, one of the others. */
    static final String SHARED = "239.77.8.1";

    static final String SECOND = "239.77.8.2";
    static final String THIRD = "239.77.8.3";

    /** What C on node 2 sends to. */
    static final String FROM_C = "239.77.8.4";

    static final String FROM_C_SEND_ONLY = "239.77.8.5";
    static final String LOSSY = "239.77.8.6";

    /** What node 1 joins to be seen on the wire: as a full member and one that only sends; as the latter alone. */
    static final String BOTH = "239.77.8.7";

    static final String SEND_ONLY = "239.77.8.8";

    private static final Path DONE = Path.of("/tmp/done");
    private static final String NETDEV = "eth0";

    /** For a JVM on an emulated processor beside other guests. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private MulticastScenes() {}

    public static void main(String[] arguments) throws Exception {
        found("kernel", System.getProperty("os.version"));
        PatientMckey mckey = PatientMckey.in(Path.of(arguments[0]));
        try (EventChannel events = EventChannel.open()) {
            GroupMembership full = sendOnlyBesideAFullMember(events);
            cSendsWhile(mckey, MulticastScenes::oneSenderThreeReceivers);
            full.close();
            found("after the leave", Igmp.users(NETDEV, BOTH));
        }
        lossy(mckey);
    }

    private interface Scene {
        void play() throws Exception;
    }

    private static void found(String finding, Object value) {
        System.out.println(finding + ": " + value);
    }

    private static void report(String finding, String output) {
        output.lines()
                .filter(line -> line.contains("messages received") || line.contains("status"))
                .forEach(line -> System.out.println(finding + ": " + line));
    }

    private static Program onTheOther(List<String> command) {
        List<String> whole = new ArrayList<>(List.of("testbed-node", "2", "--"));
        whole.addAll(command);
        return Program.start(whole);
    }

    private static Program onTheOther(String... command) {
        return onTheOther(Arrays.asList(command));
    }

    private static Program ourReceiverOnTheOther(String... options) {
        List<String> arguments = new ArrayList<>(List.of("mckey"));
        arguments.addAll(Arrays.asList(options));
        Program receiver = onTheOther(Program.java(Main.class, arguments.toArray(String[]::new)));
        receiver.awaitOutput("receiving data transfers", PATIENCE);
        return receiver;
    }

    private static RunningCommand receiver(String options) {
        return RunningCommand.start("mckey " + options).awaitOutput("receiving data transfers");
    }

    /** Two of ours, one of which is in three groups, and one of C's; on both nodes. */
    private static void oneSenderThreeReceivers() throws Exception {
        String all = SHARED + "," + SECOND + "," + THIRD;
        RunningCommand near = receiver("-b " + HERE + " -m " + SHARED);
        try (Program far = ourReceiverOnTheOther("-b", THERE, "-m", all);
                Program c = onTheOther("stdbuf", "-oL", "mckey", "-b", THERE, "-m", SHARED)) {
            c.awaitOutput("joined dgid");
            report(
                    "sender",
                    RunningCommand.start("mckey -b " + HERE + " -s -o -d 0 -m " + all)
                            .end(0));
            report("near", near.end(0));
            report("far", far.success());
            report("c", c.success());
        }
    }

    /** C waits for three seconds before it sends, and meanwhile something else can be done. */
    private static void cSendsWhile(PatientMckey mckey, Scene meanwhile) throws Exception {
        RunningCommand full = receiver("-b " + HERE + " -m " + FROM_C);
        RunningCommand sendOnly = receiver("-b " + HERE + " -m " + FROM_C_SEND_ONLY);
        try (Program one = onTheOther(mckey.command(DONE, "-b " + THERE + " -s -m " + FROM_C));
                Program two = onTheOther(mckey.command(DONE, "-b " + THERE + " -s -o -m " + FROM_C_SEND_ONLY))) {
            meanwhile.play();
            report("from c", full.end(0));
            report("from c that only sends", sendOnly.end(0));
            onTheOther("touch", DONE.toString()).success();
            one.success();
            two.success();
        }
    }

    /** Faults on the wire: a third of what node 2 sends is lost. */
    private static void lossy(PatientMckey mckey) throws Exception {
        onTheOther("tc", "qdisc", "add", "dev", NETDEV, "root", "netem", "loss", "30%")
                .success();
        RunningCommand receiver = receiver("-b " + HERE + " -C 200 -w 3 -m " + LOSSY);
        try (Program sender = onTheOther(mckey.command(DONE, "-b " + THERE + " -s -C 200 -m " + LOSSY))) {
            report("lossy", receiver.end(1));
            sender.success();
        }
    }

    /** Joins and leaves without queue pairs: what the kernel reports of them, and what it lists. */
    private static GroupMembership sendOnlyBesideAFullMember(EventChannel events) throws Exception {
        GroupMembership full = join(events, BOTH, GroupMembership.Mode.FULL_MEMBER);
        join(events, BOTH, GroupMembership.Mode.SEND_ONLY_FULL_MEMBER).close();
        join(events, SEND_ONLY, GroupMembership.Mode.SEND_ONLY_FULL_MEMBER).close();
        found("after a send-only leave", Igmp.users(NETDEV, BOTH));
        found("of one that only sent", Igmp.users(NETDEV, SEND_ONLY));
        return full;
    }

    private static GroupMembership join(EventChannel events, String group, GroupMembership.Mode mode) throws Exception {
        CmId id = events.createId(PortSpace.UDP);
        id.bind(new InetSocketAddress(HERE, 0));
        GroupMembership membership = id.multicast().join(new InetSocketAddress(group, 0), mode);
        Events.expect(events, CmEventType.MULTICAST_JOIN);
        return membership;
    }
}
