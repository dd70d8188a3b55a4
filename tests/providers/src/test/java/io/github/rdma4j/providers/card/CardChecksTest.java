// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.providers.kernel.BnxtSettings;
import io.github.rdma4j.providers.kernel.CardSettings;
import io.github.rdma4j.providers.kernel.ErdmaSettings;
import io.github.rdma4j.providers.kernel.IrdmaSettings;
import io.github.rdma4j.providers.kernel.Mlx4Settings;
import io.github.rdma4j.providers.kernel.Mlx5Settings;
import io.github.rdma4j.providers.provider.CardPair;
import io.github.rdma4j.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A device lets hardly a work request pass in which a bit is wrong: it complains, fails the request, or moves other data. */
class CardChecksTest {
    private static final long DATA = 0x1234_5678_9abc_def0L;
    /** The first of those that a post writes. */
    private static final int BYTES = 20;

    static Stream<CardSettings<?>> devices() {
        return Stream.of(
                new Mlx4Settings(),
                new Mlx5Settings(),
                new ErdmaSettings(),
                new IrdmaSettings(),
                new IrdmaSettings().x722(),
                new BnxtSettings().p5());
    }

    private static QpSpec.Rings rings(CardPair pair) {
        CardQp qp = Objects.requireNonNull(
                pair.kernel().card().queuePair(pair.client().qpn()));
        return qp.spec().rings();
    }

    private static ByteBuffer sends(CardPair pair) {
        QpSpec.Rings rings = rings(pair);
        Pinned ring = rings instanceof Mlx4Rings mlx4
                ? mlx4.ring()
                : rings instanceof Mlx5Rings mlx5
                        ? mlx5.ring()
                        : rings instanceof ErdmaRings erdma
                                ? erdma.ring()
                                : rings instanceof IrdmaRings irdma ? irdma.ring() : ((BnxtRings) rings).sendRing();
        return ring.bytes();
    }

    /** What came of a write: its status, whether it moved the data, and what the device says of it. */
    private record Outcome(String status, boolean moved, List<String> complaints) {
        boolean isNoticed() {
            return !status.equals("SUCCESS") || !moved || !complaints.isEmpty();
        }
    }

    /** Posts a write, and turns {@code bits} of the byte {@code at} of those that changed in the ring. */
    private static Outcome outcome(CardSettings<?> settings, ToIntFunction<int[]> at, int bits) throws Exception {
        CardPair pair = new CardPair(settings, 3, 48);
        try {
            pair.buffer().putLong(0, DATA);
            ByteBuffer ring = sends(pair);
            ByteBuffer before = ByteBuffer.allocate(ring.capacity()).put(0, ring, 0, ring.capacity());
            pair.client().postSend(pair.write(1));
            int[] written = IntStream.range(0, ring.capacity())
                    .filter(each -> ring.get(each) != before.get(each))
                    .toArray();
            int turned = at.applyAsInt(written);
            ring.put(turned, (byte) (ring.get(turned) ^ bits));
            pair.settle();
            WorkCompletion[] one = WorkCompletion.array(1);
            String status = pair.cq().poll(one) == 1 ? one[0].statusName() : "none";
            return new Outcome(
                    status,
                    pair.buffer().getLong(64) == DATA,
                    List.copyOf(pair.kernel().complaints()));
        } finally {
            pair.context().close();
        }
    }

    @ParameterizedTest
    @MethodSource("devices")
    void aWrongBitIsNoticed(CardSettings<?> settings) throws Exception {
        assertThat(outcome(settings, written -> written[0], 0).isNoticed()).isFalse();
        List<Integer> unnoticed = new ArrayList<>();
        for (int i = 0; i < BYTES; i++) {
            int number = i; // zeros in an address are not among what changed
            if (!outcome(settings, written -> written[number % written.length], 1 << number % Byte.SIZE)
                    .isNoticed()) {
                unnoticed.add(number);
            }
        }
        assertThat(unnoticed).hasSizeLessThan(BYTES / 4);
    }

    /** A doorbell that tells of more than the record in memory is refused. */
    @Test
    void aRecordThatIsBehindIsNoticed() throws Exception {
        for (CardSettings<?> settings : List.of(new Mlx5Settings(), new ErdmaSettings())) {
            CardPair pair = new CardPair(settings);
            try {
                Pinned record =
                        rings(pair) instanceof Mlx5Rings mlx5 ? mlx5.record() : ((ErdmaRings) rings(pair)).record();
                pair.client().postSend(pair.write(1));
                record.bytes().putLong(0, 0);
                pair.settle();
                assertThat(pair.kernel().complaints())
                        .singleElement()
                        .asString()
                        .contains("its record says 0");
                assertThat(pair.isEmpty()).isTrue();
            } finally {
                pair.context().close();
            }
        }
    }

    /** Bits of the segments of a write: control, remote address, data. */
    @ParameterizedTest
    @CsvSource({
        "0, 1, none, rung with",
        "7, 1, none, rung with",
        "8, 1, LOC_QP_OP_ERR, where zeros must be",
        "11, 64, LOC_QP_OP_ERR, the flags 0x48",
        "16, 128, REM_ACCESS_ERR, ",
        "24, 128, REM_ACCESS_ERR, ",
        "34, 128, LOC_PROT_ERR, ",
        "36, 128, LOC_PROT_ERR, ",
        "40, 128, LOC_PROT_ERR, ",
    })
    void connectXSaysWhatIsWrong(int at, int bits, String status, @Nullable String complaint) throws Exception {
        Outcome outcome = outcome(new Mlx5Settings(), written -> (written[0] & -64) + at, bits);
        assertThat(outcome.status()).isEqualTo(status);
        assertThat(outcome.moved()).isFalse();
        if (complaint != null) {
            assertThat(outcome.complaints()).singleElement().asString().contains(complaint);
        }
    }
}
