// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.testbed.machine.NodeLink;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class IbFabricTest {
    private static final int LID_OF_SWITCH = 9;
    private static final int GROUP = 0xc003;

    private final Rig rig = new Rig(3, 1);

    @AfterEach
    void close() {
        rig.close();
    }

    private void linkAll() throws InterruptedException {
        for (int node = 1; node <= 3; node++) {
            rig.link(node);
        }
    }

    private int stateOf(int port) throws InterruptedException {
        return rig.portInfo(1, port).get(32) & 0xf;
    }

    // ---- links -------------------------------------------------------------------------------------------------

    @Test
    void aHelloOfTheKernelBringsTheLinkUp() throws Exception {
        assertThat(rig.send(1, NodeCable.HELLO_TYPE, Recorded.bytes(Recorded.HELLO)))
                .isTrue();
        NodeCable.Hello answer = rig.heard(1);
        assertThat(answer.partner()).isEqualTo(Rig.mac(1));
        assertThat(answer.has(NodeCable.Hello.SWITCH)).isTrue();
        assertThat(answer.width()).as("four lanes").isEqualTo(2);
    }

    @Test
    void aPortIsUpWhenBothEndsKnowEachOther() throws Exception {
        rig.link(1);
        assertThat(stateOf(1)).isEqualTo(SwitchPort.INIT);
        assertThat(stateOf(2)).isEqualTo(SwitchPort.DOWN);
        rig.hello(1, NodeCable.Hello.BYE, 0);
        rig.link(2);
        assertThat(rig.portInfo(2, 1).get(32) & 0xf).isEqualTo(SwitchPort.DOWN);
    }

    @Test
    void aCutLinkIsDownUntilItIsMended() throws Exception {
        linkAll();
        rig.fabric.cut(2);
        assertThat(rig.heard(2).has(NodeCable.Hello.BYE)).isTrue();
        assertThat(stateOf(2)).isEqualTo(SwitchPort.DOWN);
        rig.hello(2, 0, 0);
        assertThat(rig.drain(2)).as("nobody answers").isEmpty();
        rig.fabric.mend(2);
        assertThat(rig.heard(2).partner()).isEqualTo(Rig.mac(2));
        rig.link(2);
        assertThat(stateOf(2)).isEqualTo(SwitchPort.INIT);
    }

    @Test
    void aLinkOfOneLaneIsTrainedAgain() throws Exception {
        linkAll();
        rig.fabric.narrow(2, true);
        NodeCable.Hello hello = rig.heard(2);
        assertThat(hello.has(NodeCable.Hello.RETRAIN)).isTrue();
        assertThat(hello.width()).isEqualTo(1);
        assertThat(rig.portInfo(1, 2).get(31)).isEqualTo((byte) 1);
    }

    @Test
    void theManagerSwitchesAPortOffAndOn() throws Exception {
        linkAll();
        byte[] info = new byte[Mad.DATA_BYTES];
        rig.portInfo(1, 2).get(0, info);
        info[32] &= (byte) 0xf0;
        info[33] = 0x32;
        assertThat(rig.ask(1, Mad.SET, 0x15, 2, info)
                                .slice(Mad.DATA, Mad.DATA_BYTES)
                                .get(33)
                        >> 4)
                .as("disabled")
                .isEqualTo(3);
        assertThat(rig.heard(2).has(NodeCable.Hello.BYE)).isTrue();
        info[33] = 0x22;
        Mad unused = rig.ask(1, Mad.SET, 0x15, 2, info);
        assertThat(rig.heard(2).partner()).isEqualTo(Rig.mac(2));
    }

    // ---- subnet management -------------------------------------------------------------------------------------

    @Test
    void theSwitchAnswersOpenSm() throws Exception {
        linkAll();
        rig.packet(1, Recorded.bytes(Recorded.GET_NODE_INFO));
        IbPacket answer = rig.packet(1);
        assertThat(answer.isIntact()).isTrue();
        Mad mad = answer.mad().orElseThrow();
        assertThat(mad.status()).as("the direction and no error").isEqualTo(0x8000);
        assertThat(mad.returnPath(1)).isEqualTo(1);
        byte[] data = new byte[40];
        mad.slice(Mad.DATA, 40).get(data);
        assertThat(data)
                .isEqualTo(Recorded.bytes("0101020a" + "525400fffe4e0100525400fffe4e0100525400fffe4e0100" + "00015349"
                        + "00000001" + "01ffffff"));
    }

    /** The capture takes a packet when its sender is known: a node's on its way in, a switch's on its way out. */
    @Test
    void answersOfTheSwitchAreItsOwn() throws Exception {
        linkAll();
        rig.manage(3, LID_OF_SWITCH);
        assertThat(switchInfo()).isNotNull();
        assertThat(rig.sender).as("of an answer to a directed route").isZero();
        assertThat(counters(1)).isNotNull();
        assertThat(rig.sender).as("of an answer by LID").isZero();
        rig.packet(1, Rig.datagram(1, 2));
        assertThat(rig.packet(2).slid()).isEqualTo(1);
        assertThat(rig.sender).as("of a packet between nodes").isEqualTo(1);
    }

    @Test
    void aDirectedRouteLeadsThroughTheSwitchAndBack() throws Exception {
        linkAll();
        rig.packet(1, Recorded.bytes(Recorded.GET_NODE_INFO_OF_NODE_2));
        IbPacket request = rig.packet(2);
        assertThat(request.isIntact()).isTrue();
        assertThat(request.mad().orElseThrow().hopPointer()).isEqualTo(2);
        assertThat(request.mad().orElseThrow().returnPath(1)).isEqualTo(1);
        rig.packet(2, Recorded.bytes(Recorded.NODE_INFO_OF_NODE_2));
        IbPacket answer = rig.packet(1);
        assertThat(answer.isIntact()).isTrue();
        assertThat(answer.mad().orElseThrow().hopPointer()).isEqualTo(1);
    }

    @Test
    void theManagerTakesTheChangeOfPortStatesBack() throws Exception {
        linkAll();
        assertThat(switchInfo().get(11) & 4).isEqualTo(4);
        rig.packet(1, Recorded.bytes(Recorded.SET_SWITCH_INFO));
        assertThat(rig.packet(1).mad().orElseThrow().status()).isEqualTo(0x8000);
        assertThat(switchInfo().get(11) & 4).isZero();
        assertThat(switchInfo().getShort(0) & 0xffff).isEqualTo(0xc000);
        rig.hello(3, NodeCable.Hello.BYE, 0);
        assertThat(switchInfo().get(11) & 4).isEqualTo(4);
    }

    private ByteBuffer switchInfo() throws InterruptedException {
        return rig.ask(1, Mad.GET, 0x12, 0, new byte[0]).slice(Mad.DATA, Mad.DATA_BYTES);
    }

    @Test
    void theSwitchSaysItsName() throws Exception {
        linkAll();
        byte[] name = new byte[Mad.DATA_BYTES];
        rig.ask(1, Mad.GET, 0x10, 0, new byte[0])
                .slice(Mad.DATA, Mad.DATA_BYTES)
                .get(name);
        assertThat(new String(name, StandardCharsets.US_ASCII)).startsWith("rdma4j switch 1\0");
    }

    @Test
    void whatIsNotPossibleIsRefused() throws Exception {
        linkAll();
        assertThat(rig.ask(1, Mad.GET, 0x15, 11, new byte[0]).status()).isEqualTo(0x8000 | Mad.INVALID_VALUE);
        assertThat(rig.ask(1, Mad.GET, 0x99, 0, new byte[0]).status()).isEqualTo(0x8000 | Mad.UNSUPPORTED_ATTRIBUTE);
        assertThat(rig.ask(1, Mad.SET, 0x11, 0, new byte[0]).status()).isEqualTo(0x8000 | Mad.UNSUPPORTED_ATTRIBUTE);
        byte[] info = new byte[Mad.DATA_BYTES];
        rig.portInfo(1, 2).get(0, info);
        info[32] = (byte) ((info[32] & 0xf0) | SwitchPort.ACTIVE);
        info[33] &= 0xf;
        assertThat(rig.ask(1, Mad.SET, 0x15, 2, info).status())
                .as("from INIT to ACTIVE")
                .isEqualTo(0x8000 | Mad.INVALID_VALUE);
    }

    @Test
    void theManagerHearsOfALinkUntilItSaysSo() throws Exception {
        linkAll();
        rig.manage(3, LID_OF_SWITCH);
        rig.hello(3, NodeCable.Hello.BYE, 0);
        IbPacket trap = rig.packet(1);
        assertThat(trap.isIntact()).isTrue();
        assertThat(trap.slid()).isEqualTo(LID_OF_SWITCH);
        Mad mad = trap.mad().orElseThrow();
        assertThat(mad.method()).isEqualTo(Mad.TRAP);
        assertThat(mad.slice(Mad.DATA, 12).getShort(4)).isEqualTo((short) 128);
        assertThat(rig.packet(1).mad().orElseThrow().transaction())
                .as("it is said again")
                .isEqualTo(mad.transaction());
        byte[] repress = mad.toBytes();
        repress[3] = Mad.TRAP_REPRESS;
        rig.packet(1, IbPacket.management(1, LID_OF_SWITCH, 0, 0, repress).bytes());
        rig.link(3);
        assertThat(rig.packet(1).mad().orElseThrow().transaction())
                .as("the next trap is another one")
                .isNotEqualTo(mad.transaction());
    }

    // ---- forwarding --------------------------------------------------------------------------------------------

    @Test
    void packetsGoWhereTheTablesSay() throws Exception {
        linkAll();
        rig.packet(1, Rig.datagram(1, 2));
        assertThat(rig.drain(2)).as("no table").isEmpty();
        rig.manage(3, LID_OF_SWITCH);
        byte[] sent = Rig.datagram(1, 2);
        rig.packet(1, sent);
        assertThat(rig.packet(2).bytes()).isEqualTo(sent);
        rig.packet(1, Rig.datagram(1, 77));
        assertThat(rig.drain(3)).isEmpty();
        assertThat(counters(1).getShort(12)).as("no way to LID 77").isEqualTo((short) 1);
    }

    @Test
    void capabilitiesOfTheManagerAreHidden() throws Exception {
        linkAll();
        rig.manage(3, LID_OF_SWITCH);
        rig.fabric.hideCapabilities(1 << 12);
        assertThat(capabilities(Mad.GET_RESPONSE, 0x0001))
                .as("and the response time stays")
                .isEqualTo(0xfffd_ffff);
        assertThat(capabilities(Mad.GET, 0x0001)).as("a question").isEqualTo(0xffff_ffff);
        assertThat(capabilities(Mad.GET_RESPONSE, 0x0035)).as("another answer").isEqualTo(0xffff_ffff);
        rig.fabric.hideCapabilities(0);
        assertThat(capabilities(Mad.GET_RESPONSE, 0x0001)).isEqualTo(0xffff_ffff);
    }

    /** The word with CapabilityMask2 that node 2 gets when node 1 sends a datagram of subnet administration full of ones. */
    private int capabilities(int method, int attribute) throws InterruptedException {
        byte[] sent = Mad.of(Mad.ADMINISTRATION, method, attribute, 0, 7).toBytes();
        Arrays.fill(sent, 56, sent.length, (byte) 0xff);
        rig.packet(1, IbPacket.management(1, 2, 1, 0x80010000, sent).bytes());
        IbPacket received = rig.packet(2);
        assertThat(received.isIntact()).isTrue();
        return received.mad().orElseThrow().slice(60, 4).getInt(0);
    }

    @Test
    void aGroupReachesItsMembersAndNotTheSender() throws Exception {
        linkAll();
        rig.manage(3, LID_OF_SWITCH);
        byte[] block = new byte[Mad.DATA_BYTES];
        ByteBuffer.wrap(block).putShort(2 * (GROUP - 0xc000), (short) 0b1110);
        assertThat(rig.ask(1, Mad.SET, 0x1b, 0, block).status()).isEqualTo(0x8000);
        byte[] sent = Rig.datagram(1, GROUP);
        rig.packet(1, sent);
        assertThat(rig.packet(2).bytes()).isEqualTo(sent);
        assertThat(rig.packet(3).bytes()).isEqualTo(sent);
        assertThat(rig.drain(1)).isEmpty();
    }

    /** The ports of a switch are in two positions of its table of groups, with 16 ports each. */
    @Test
    void aGroupReachesSecondPorts() throws Exception {
        try (Rig wide = new Rig(6, 2, 1)) {
            int second = NodeLink.station(6, 2);
            for (int station : new int[] {1, 6, second}) {
                wide.link(station);
            }
            wide.manage(1, LID_OF_SWITCH);
            for (int station : new int[] {6, second}) {
                wide.state(1, station, SwitchPort.ARMED);
                wide.state(1, station, SwitchPort.ACTIVE);
            }
            byte[] block = new byte[Mad.DATA_BYTES];
            ByteBuffer.wrap(block).putShort(2 * (GROUP - 0xc000), (short) (1 << (second - 16)));
            assertThat(wide.ask(1, Mad.SET, 0x1b, 1 << 28, block).status()).isEqualTo(0x8000);
            byte[] sent = Rig.datagram(1, GROUP);
            wide.packet(1, sent);
            assertThat(wide.packet(second).bytes()).isEqualTo(sent);
            assertThat(wide.drain(6)).isEmpty();

            wide.fabric.cut(second);
            assertThat(wide.heard(second).has(NodeCable.Hello.BYE)).isTrue();
            wide.packet(1, sent);
            assertThat(wide.drain(second)).isEmpty();
            assertThat(wide.drain(6)).as("the link of the first port").isEmpty();
        }
    }

    @Test
    void aPortThatIsNotActiveCarriesNothingButManagement() throws Exception {
        linkAll();
        rig.manage(3, LID_OF_SWITCH);
        rig.link(2);
        rig.packet(1, Rig.datagram(1, 2));
        assertThat(rig.drain(2)).isEmpty();
        assertThat(counters(2).getShort(14)).as("discarded").isEqualTo((short) 1);
    }

    /** PortCounters of a port. */
    private ByteBuffer counters(int port) throws InterruptedException {
        Mad query = Mad.of(Mad.PERFORMANCE, Mad.GET, 0x12, 0, 5);
        byte[] bytes = query.toBytes();
        bytes[Mad.DATA + 1] = (byte) port;
        rig.packet(
                1, IbPacket.management(1, LID_OF_SWITCH, 1, 0x80010000, bytes).bytes());
        for (IbPacket answer = rig.packet(1); ; answer = rig.packet(1)) {
            Mad mad = answer.mad().orElseThrow();
            if (mad.managementClass() == Mad.PERFORMANCE) {
                assertThat(answer.isIntact()).isTrue();
                assertThat(mad.status()).isZero();
                return mad.slice(Mad.DATA, 40);
            }
        }
    }

    @Test
    void twoSwitchesForwardToEachOtherButNotForEver() throws Exception {
        try (Rig row = new Rig(2, 2)) {
            row.link(1);
            row.link(2);
            byte[] toNext = table(10, 2);
            byte[] toPrevious = table(9, 1);
            toPrevious[2] = 2;
            assertThat(row.ask(1, Mad.SET, 0x19, 0, toNext).status()).isEqualTo(0x8000);
            assertThat(row.ask(2, Mad.SET, 0x19, 0, toPrevious).status()).isEqualTo(0x8000);
            assertThat(row.ask(1, Mad.SET, 0x19, 1, table(10, 77 - 64)).status())
                    .isEqualTo(0x8000);
            assertThat(row.ask(2, Mad.SET, 0x19, 1, table(9, 77 - 64)).status()).isEqualTo(0x8000);
            for (int state : new int[] {SwitchPort.ARMED, SwitchPort.ACTIVE}) {
                row.state(1, 1, state);
                row.state(1, 10, state);
                row.state(2, 9, state);
                row.state(2, 2, state);
            }
            byte[] sent = Rig.datagram(1, 2);
            row.packet(1, sent);
            assertThat(row.packet(2).bytes()).isEqualTo(sent);
            row.packet(1, Rig.datagram(1, 77));
            row.packet(1, sent);
            assertThat(row.packet(2).bytes()).as("after a packet in a circle").isEqualTo(sent);
        }
    }

    /** A block of the linear table in which some LIDs lead to a port, and all others nowhere. */
    private static byte[] table(int port, int... lids) {
        byte[] table = new byte[Mad.DATA_BYTES];
        Arrays.fill(table, (byte) 255);
        for (int lid : lids) {
            table[lid] = (byte) port;
        }
        return table;
    }

    // ---- harm --------------------------------------------------------------------------------------------------

    @Test
    void noFrameHarms() throws Exception {
        linkAll();
        rig.manage(3, LID_OF_SWITCH);
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[][] good = {
            Recorded.bytes(Recorded.GET_NODE_INFO),
            Recorded.bytes(Recorded.NODE_INFO_OF_NODE_2),
            Recorded.bytes(Recorded.SET_SWITCH_INFO),
            Rig.datagram(1, GROUP),
            Rig.datagram(1, LID_OF_SWITCH)
        };
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = good[random.nextInt(good.length)].clone();
            for (int i = random.nextInt(10); i >= 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            byte[] cut = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
            assertThat(rig.send(
                            1 + random.nextInt(3), NodeCable.PACKET_TYPE, random.nextInt(4) == 0 ? cut : sealed(bytes)))
                    .as("seed %d", seed)
                    .isTrue();
            assertThat(rig.send(1, NodeCable.HELLO_TYPE, cut)).isTrue();
        }
        assertThat(rig.drain(2)).as("seed %d", seed).isNotNull();
    }

    private static byte[] sealed(byte[] bytes) {
        return IbPacket.read(bytes, 0, bytes.length)
                .map(packet -> {
                    packet.seal();
                    return packet.bytes();
                })
                .orElse(bytes);
    }

    @Test
    void framesOfOthersAreForTheHub() {
        assertThat(rig.send(1, 0x0800, new byte[40])).isFalse();
        assertThat(rig.send(1, 0x88b5, new byte[0])).isTrue();
        assertThat(rig.fabric.frame(1, new byte[3], 3)).isFalse();
    }
}
