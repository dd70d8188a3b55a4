// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.testbed.machine.NodeLink;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A fabric without guests: the test is the adapter of each node. The numbers of nodes are those of stations. */
final class Rig implements AutoCloseable {
    private static final int HEADER_BYTES = 14;

    final IbFabric fabric;
    private final int nodes;
    private final int switches;
    private final Map<Integer, BlockingQueue<byte[]>> received = new HashMap<>();

    /** Who has sent the last frame: a node, or a switch as 0. */
    volatile int sender;

    Rig(int nodes, int switches) {
        this(nodes, 1, switches);
    }

    Rig(int nodes, int ports, int switches) {
        this.nodes = nodes;
        this.switches = switches;
        for (int node = 1; node <= nodes; node++) {
            for (int port = 1; port <= ports; port++) {
                received.put(NodeLink.station(node, port), new LinkedBlockingQueue<>());
            }
        }
        fabric = new IbFabric(nodes, ports, switches, (from, to, frame) -> {
            sender = from;
            queue(to).add(frame);
        });
    }

    private BlockingQueue<byte[]> queue(int node) {
        return Objects.requireNonNull(received.get(node));
    }

    /** Sends a frame of a node. */
    boolean send(int node, int type, byte[] content) {
        byte[] frame = new byte[HEADER_BYTES + content.length];
        ByteBuffer.wrap(frame)
                .putLong(-1)
                .putLong(6, mac(node) << Short.SIZE)
                .putShort(12, (short) type)
                .put(HEADER_BYTES, content);
        return fabric.frame(node, frame, frame.length);
    }

    static long mac(int node) {
        return 0x5254_004d_0000L | node;
    }

    /** Sends a hello of a node. */
    void hello(int node, int flags, long partner) {
        byte[] content = new byte[NodeCable.Hello.BYTES];
        new NodeCable.Hello(flags, 0, 0, partner, 1, node).write(ByteBuffer.wrap(content));
        assertThat(send(node, NodeCable.HELLO_TYPE, content)).isTrue();
    }

    /** What the switch says next to a node. */
    NodeCable.Hello heard(int node) throws InterruptedException {
        byte[] frame = next(node, NodeCable.HELLO_TYPE);
        return NodeCable.Hello.read(frame, HEADER_BYTES, frame.length).orElseThrow();
    }

    /** Brings the link of a node up, as its adapter does. */
    void link(int node) throws InterruptedException {
        hello(node, 0, 0);
        assertThat(heard(node).partner()).isEqualTo(mac(node));
        hello(node, 0, macOfPort(node));
        assertThat(heard(node).has(NodeCable.Hello.SWITCH)).isTrue();
    }

    /** The address of the port for a node. */
    private long macOfPort(int node) {
        int number = 1 + (node - 1) % NodeLink.station(0, 2) * switches / nodes;
        return 0x5254_004e_0000L | number << 8 | node;
    }

    void packet(int node, byte[] packet) {
        assertThat(send(node, NodeCable.PACKET_TYPE, packet)).isTrue();
    }

    /** The next packet that a node gets. */
    IbPacket packet(int node) throws InterruptedException {
        byte[] frame = next(node, NodeCable.PACKET_TYPE);
        return IbPacket.read(frame, HEADER_BYTES, frame.length).orElseThrow();
    }

    private byte[] next(int node, int type) throws InterruptedException {
        byte[] frame = queue(node).poll(20, TimeUnit.SECONDS);
        assertThat(frame).as("a frame for node %d", node).isNotNull();
        assertThat(ByteBuffer.wrap(frame).getShort(12) & 0xffff).isEqualTo(type);
        return frame;
    }

    /** Asks or tells the switch at a node over a directed route of one hop, and returns the answer. */
    Mad ask(int node, int method, int attribute, int modifier, byte[] data) throws InterruptedException {
        Mad mad = Mad.of(Mad.DIRECTED_ROUTE, method, attribute, modifier, 99);
        ByteBuffer bytes = ByteBuffer.wrap(mad.toBytes());
        bytes.put(6, (byte) 1)
                .put(7, (byte) 1)
                .putInt(32, -1)
                .put(Mad.DATA, data)
                .put(129, (byte) 1);
        byte[] content = new byte[Mad.BYTES];
        bytes.get(0, content);
        packet(node, IbPacket.management(0xffff, 0xffff, 0, 0, content).bytes());
        IbPacket answer = packet(node);
        assertThat(answer.isIntact()).isTrue();
        Mad result = answer.mad().orElseThrow();
        assertThat(result.method()).isEqualTo(Mad.GET_RESPONSE);
        assertThat(result.hopPointer()).isEqualTo(1);
        return result;
    }

    /** PortInfo of a port of the switch at a node. */
    ByteBuffer portInfo(int node, int port) throws InterruptedException {
        return ask(node, Mad.GET, 0x15, port, new byte[0]).slice(Mad.DATA, Mad.DATA_BYTES);
    }

    /** Moves a port of the switch at a node to a state. */
    void state(int node, int port, int state) throws InterruptedException {
        byte[] info = new byte[Mad.DATA_BYTES];
        portInfo(node, port).get(0, info);
        info[32] = (byte) ((info[32] & 0xf0) | state);
        info[33] &= 0xf;
        assertThat(ask(node, Mad.SET, 0x15, port, info).status() & 0x7fff).isZero();
    }

    /** What a subnet manager does: gives node N the LID N and the switch a LID, and makes all ports active. */
    void manage(int nodes, int lidOfSwitch) throws InterruptedException {
        byte[] info = new byte[Mad.DATA_BYTES];
        portInfo(1, 0).get(0, info);
        info[32] &= (byte) 0xf0;
        info[33] &= 0xf;
        ByteBuffer.wrap(info).putShort(16, (short) lidOfSwitch).putShort(18, (short) 1);
        Mad set = ask(1, Mad.SET, 0x15, 0, info);
        assertThat(set.status() & 0x7fff).isZero();
        byte[] table = new byte[Mad.DATA_BYTES];
        Arrays.fill(table, (byte) 255);
        for (int node = 1; node <= nodes; node++) {
            table[node] = (byte) node;
        }
        table[lidOfSwitch] = 0;
        assertThat(ask(1, Mad.SET, 0x19, 0, table).status() & 0x7fff).isZero();
        for (int node = 1; node <= nodes; node++) {
            state(1, node, SwitchPort.ARMED);
            state(1, node, SwitchPort.ACTIVE);
        }
    }

    /** A datagram for queue pair 0x11. */
    static byte[] datagram(int slid, int dlid) {
        return IbPacket.management(slid, dlid, 0x11, 0x1234, new byte[Mad.BYTES])
                .bytes();
    }

    /** The packets that have come to a node, without a wait. */
    List<byte[]> drain(int node) {
        List<byte[]> frames = new ArrayList<>();
        queue(node).drainTo(frames);
        return frames;
    }

    @Override
    public void close() {
        fabric.close();
    }
}
