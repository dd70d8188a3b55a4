// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import static io.github.rdma4j.providers.card.HandMadeQueues.remotePiece;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.providers.card.CardFault.Syndrome;
import io.github.rdma4j.providers.card.HandMadeQueues.Completion;
import io.github.rdma4j.providers.card.HandMadeQueues.Side;
import java.util.HexFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Datagrams on RoCE v2, with libmlx5's address vector but for the addresses. */
class CardDatagramsTest {
    private static final String CONTROL = "0000000a 00010005 00000008 00000000";
    private static final String TO_0X200 = "11111111 00000000 80000200 0600e341 00000000";
    private static final String MAC = "02ff0a4d 0001";
    private static final String CLASS_AND_FLOW = "2040 00012345";
    private static final String GID = "00000000 00000000 0000ffff 0a4d0001";
    private static final String DATA = "0000000a 0000045a 00005555 5555c000";

    private final HandMadeQueues queues = new HandMadeQueues(QpSpec.UD, Timing.prompt());
    private final Side sender = queues.sender();
    private final Side receiver = queues.receiver();

    @BeforeEach
    void network() {
        queues.card().addGid(HexFormat.of().parseHex(GID.replace(" ", "")));
        HandMadeQueues.count(queues.local());
        receiver.receive(remotePiece(0, 100));
    }

    @Test
    void arriveBehindTheirHeader() {
        sender.post(CONTROL, TO_0X200, MAC, CLASS_AND_FLOW, GID, DATA);
        assertThat(sender.poll().opcode()).isEqualTo(Mlx5Cqe.REQUEST);
        Completion received = receiver.poll();
        assertThat(received.byteCount()).isEqualTo(50);
        int flags = received.bytes().getInt(24);
        assertThat(flags >>> 28 & 3).isEqualTo(2);
        assertThat(flags >>> 24 & 15).isEqualTo(3);
        assertThat(flags & 0xff_ffff).isEqualTo(0x100);
        assertThat(queues.remote().get(20)).isEqualTo((byte) 0x45);
        assertThat(queues.remote().get(21)).isEqualTo((byte) 0x20);
        assertThat(queues.remote().getInt(32)).isEqualTo(0x0a4d0001);
        assertThat(queues.remote().slice(40, 10)).isEqualTo(queues.local().slice(0, 10));
        assertThat(queues.card().complaints()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "11111112 00000000 80000200 0600e341 00000000, another Q_Key",
        "11111111 00000000 80000201 0600e341 00000000, no such queue pair",
    })
    void areLostWithoutAWord(String to, String why) {
        sender.post(CONTROL, to, MAC, CLASS_AND_FLOW, GID, DATA);
        assertThat(sender.poll().opcode()).as(why).isEqualTo(Mlx5Cqe.REQUEST);
        assertThat(receiver.hasCompletion()).isFalse();
        assertThat(queues.card().complaints()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "11111111 00000000 00000200 0600e341 00000000, 02ff0a4d 0001, 2040 00012345, no address vector",
        "11111111 00000000 80000200 06000000 00000000, 02ff0a4d 0001, 2040 00012345, no address vector",
        "11111111 00000000 80000200 0600e341 00000000, 02ff0a4d 0001, 2040 40012345, no address vector",
        "11111111 00000000 80000200 0600e341 00000000, 02ff0a4d 0002, 2040 00012345, the MAC",
        "11111111 00000000 80000200 0600e341 00000000, 02ff0a4d 0001, 2040 00112345, the MAC",
    })
    void mustHaveAnAddressOfRoce(String to, String mac, String flow, String complaint) {
        sender.post(CONTROL, to, mac, flow, GID, DATA);
        assertThat(receiver.hasCompletion()).isFalse();
        assertThat(queues.card().complaints()).singleElement().asString().contains(complaint);
    }

    @Test
    void takeTheQkeyOfTheQueuePairWhenAskedTo() {
        sender.post(CONTROL, TO_0X200.replaceFirst("1", "9"), MAC, CLASS_AND_FLOW, GID, DATA);
        assertThat(receiver.hasCompletion()).isTrue();
    }

    @Test
    void areLostWithoutAReceive() {
        sender.post(CONTROL, TO_0X200, MAC, CLASS_AND_FLOW, GID, DATA);
        sender.post(CONTROL.replace("0000000a", "0000020a"), TO_0X200, MAC, CLASS_AND_FLOW, GID, DATA);
        assertThat(sender.cq().written()).isEqualTo(2);
        assertThat(receiver.cq().written()).isEqualTo(1);
        assertThat(queues.card().complaints()).isEmpty();
    }

    @Test
    void failTheReceiverWhenTheyAreTooLong() {
        sender.post(CONTROL, TO_0X200, MAC, CLASS_AND_FLOW, GID, "0000003d 0000045a 00005555 5555c000");
        assertThat(sender.poll().opcode()).isEqualTo(Mlx5Cqe.REQUEST);
        assertThat(receiver.poll().syndrome()).isEqualTo(Syndrome.LOCAL_LENGTH_ERR.code());
    }

    @Test
    void reachAllMembersOfAGroup() {
        byte[] group = HexFormat.of().parseHex("ff0e0000000000000000ffffe0000001");
        queues.card().attach(group, sender.qp());
        queues.card().attach(group, receiver.qp());
        sender.receive(remotePiece(200, 100));
        sender.post(
                CONTROL,
                "11111111 00000000 80ffffff 0600e341 00000000 02ffe000 0001 0040 00000000",
                "ff0e0000 00000000 0000ffff e0000001",
                DATA);
        assertThat(receiver.cq().written()).isEqualTo(1);
        assertThat(sender.cq().written()).isEqualTo(2);
        assertThat(queues.card().detach(group, sender.qp())).isTrue();
        assertThat(queues.card().detach(group, sender.qp())).isFalse();
    }
}
