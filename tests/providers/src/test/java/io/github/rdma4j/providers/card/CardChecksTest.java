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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A device lets hardly a work request pass in which a bit is wrong: it complains, fails the request, or moves other data. */
class CardChecksTest {
    private static final long DATA = 0x1234_5678_9abc_def0L;
    private static final int NONE = -1;
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

    private static ByteBuffer sends(CardPair pair) {
        CardQp qp = Objects.requireNonNull(
                pair.kernel().card().queuePair(pair.client().qpn()));
        QpSpec.Rings rings = qp.spec().rings();
        Pinned ring = rings instanceof Mlx4Rings mlx4
                ? mlx4.ring()
                : rings instanceof Mlx5Rings mlx5
                        ? mlx5.ring()
                        : rings instanceof ErdmaRings erdma
                                ? erdma.ring()
                                : rings instanceof IrdmaRings irdma ? irdma.ring() : ((BnxtRings) rings).sendRing();
        return ring.bytes();
    }

    /** Turns a bit of the byte {@code number} of those that a post writes. Returns whether anything but the write came of it. */
    private static boolean isNoticed(CardSettings<?> settings, int number) throws Exception {
        CardPair pair = new CardPair(settings, 3, 48);
        try {
            pair.buffer().putLong(0, DATA);
            ByteBuffer ring = sends(pair);
            ByteBuffer before = ByteBuffer.allocate(ring.capacity()).put(0, ring, 0, ring.capacity());
            pair.client().postSend(pair.write(1));
            int[] written = IntStream.range(0, ring.capacity())
                    .filter(at -> ring.get(at) != before.get(at))
                    .toArray();
            if (number >= 0) {
                int at = written[number];
                ring.put(at, (byte) (ring.get(at) ^ 1 << number % Byte.SIZE));
            }
            pair.settle();
            WorkCompletion[] one = WorkCompletion.array(1);
            boolean done = pair.cq().poll(one) == 1 && one[0].isSuccess();
            return !done
                    || pair.buffer().getLong(64) != DATA
                    || !pair.kernel().complaints().isEmpty();
        } finally {
            pair.context().close();
        }
    }

    @ParameterizedTest
    @MethodSource("devices")
    void aWrongBitIsNoticed(CardSettings<?> settings) throws Exception {
        assertThat(isNoticed(settings, NONE)).isFalse();
        List<Integer> unnoticed = new ArrayList<>();
        for (int number = 0; number < BYTES; number++) {
            if (!isNoticed(settings, number)) {
                unnoticed.add(number);
            }
        }
        assertThat(unnoticed).hasSizeLessThan(BYTES / 5);
    }
}
