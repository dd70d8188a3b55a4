// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.uverbs.WorkCompletionLayout;
import java.lang.reflect.Modifier;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WorkCompletionTest {
    private static final int IBV_WC_GRH = 1;
    private static final int IBV_WC_WITH_IMM = 2;

    @Test
    void showsTheCompletionOfTheRing() {
        WorkCompletion completion = WorkCompletion.array(1)[0];
        WorkCompletion.SINK.setResult(completion, 100, 0, 1, 7);
        WorkCompletion.SINK.setPayload(completion, 64, 0x0102_0304, IBV_WC_GRH | IBV_WC_WITH_IMM, 9);
        WorkCompletion.SINK.setSource(completion, 5, WorkCompletionLayout.path(3, 0xfffe, 15, 0x7f));
        assertThat(completion.wrId()).isEqualTo(100);
        assertThat(completion.isSuccess()).isTrue();
        assertThat(completion.qpNumber()).isEqualTo(7);
        assertThat(completion.byteLength()).isEqualTo(64);
        assertThat(completion.immediate())
                .isEqualTo(ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? 0x0102_0304 : 0x0403_0201);
        assertThat(completion.hasImmediate()).isTrue();
        assertThat(completion.hasGrh()).isTrue();
        assertThat(completion.vendorError()).isEqualTo(9);
        assertThat(completion.sourceQp()).isEqualTo(5);
        assertThat(completion.pkeyIndex()).isEqualTo(3);
        assertThat(completion.slid()).isEqualTo(0xfffe);
        assertThat(completion.sl()).isEqualTo(15);
        assertThat(completion.dlidPathBits()).isEqualTo(0x7f);
    }

    @Test
    void keepsNothingOfAnEarlierCompletionInWhateverOrderARingSetsIt() {
        WorkCompletion completion = WorkCompletion.array(1)[0];
        WorkCompletion.SINK.copy(completion, LongBuffer.wrap(new long[] {-1, -1, -1, -1, -1, -1}), 0);
        assertThat(completion.pkeyIndex()).isEqualTo(0xffff);
        assertThat(completion.slid()).isEqualTo(0xffff);
        assertThat(completion.sl()).isEqualTo(0xff);
        assertThat(completion.dlidPathBits()).isEqualTo(0xff);
        WorkCompletion.SINK.setSource(completion, 5, WorkCompletionLayout.path(3, 0, 0, 0));
        WorkCompletion.SINK.setPayload(completion, 64, 0, 0, 9);
        WorkCompletion.SINK.setResult(completion, 100, 10, 129, 7);
        assertThat(completion.wrId()).isEqualTo(100);
        assertThat(completion.rawStatus()).isEqualTo(10);
        assertThat(completion.rawOpcode()).isEqualTo(129);
        assertThat(completion.isReceive()).isTrue();
        assertThat(completion.vendorError()).isEqualTo(9);
        assertThat(completion.byteLength()).isEqualTo(64);
        assertThat(completion.immediate()).isZero();
        assertThat(completion.qpNumber()).isEqualTo(7);
        assertThat(completion.sourceQp()).isEqualTo(5);
        assertThat(completion.flags()).isZero();
        assertThat(completion.pkeyIndex()).isEqualTo(3);
        assertThat(completion.slid()).isZero();
        assertThat(completion.sl()).isZero();
        assertThat(completion.dlidPathBits()).isZero();
    }

    @Test
    void cannotBeWrittenByAProgram() {
        assertThat(Stream.of(WorkCompletion.class.getDeclaredMethods())
                        .filter(method -> Modifier.isPublic(method.getModifiers()))
                        .filter(method -> !Modifier.isStatic(method.getModifiers()))
                        .filter(method -> method.getParameterCount() > 0))
                .isEmpty();
        assertThat(WorkCompletion.class.getFields()).isEmpty();
    }
}
