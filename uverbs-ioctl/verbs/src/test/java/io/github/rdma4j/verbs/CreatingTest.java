// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who is told what when the making of a queue fails half-way. */
class CreatingTest {
    private final List<String> log = new ArrayList<>();
    private final ErrnoException refusal = new ErrnoException("CREATE", Errno.ENOMEM);
    private boolean createFails;
    private boolean finishFails;
    private boolean destroyFails;

    private final Creation<Integer, String> creation = new Creation<>() {
        @Override
        public String finish(Integer granted) throws RdmaException {
            log.add("finish " + granted);
            if (finishFails) {
                throw refusal;
            }
            return "ring";
        }

        @Override
        public void abandon(boolean destroyed) {
            log.add("abandon " + destroyed);
        }
    };

    private final Creating.Steps<Integer, String> steps = new Creating.Steps<>(
            driver -> {
                log.add("create");
                if (createFails) {
                    throw refusal;
                }
                return 5;
            },
            granted -> {
                log.add("destroy " + granted);
                if (destroyFails) {
                    throw new ErrnoException("DESTROY", Errno.EIO);
                }
            },
            (ring, destroyed) -> log.add("retire " + ring + " " + destroyed));

    private Creation<Integer, String> prepare() {
        log.add("prepare");
        return creation;
    }

    @Test
    void handsOnWhatWasMade() throws Exception {
        String made = Creating.make(this::prepare, steps, (granted, ring) -> granted + ring);
        assertThat(made).isEqualTo("5ring");
        assertThat(log).containsExactly("prepare", "create", "finish 5");
    }

    @Test
    void aRefusedCommandLeavesNothingInTheKernel() {
        createFails = true;
        assertThatThrownBy(() -> Creating.make(this::prepare, steps, (granted, ring) -> ring))
                .isSameAs(refusal);
        assertThat(log).containsExactly("prepare", "create", "abandon true");
    }

    @Test
    void aCommandThatBreaksOffMayHaveMadeSomething() {
        StackOverflowError broken = new StackOverflowError("in the decoder");
        Creating.Steps<Integer, String> breaking = new Creating.Steps<>(
                driver -> {
                    throw broken;
                },
                steps.destroy(),
                steps.retire());
        assertThatThrownBy(() -> Creating.make(this::prepare, breaking, (granted, ring) -> ring))
                .isSameAs(broken);
        assertThat(log).containsExactly("prepare", "abandon false");
    }

    @Test
    void aRingThatCannotBeMadeTakesTheObjectWithIt() {
        finishFails = true;
        assertThatThrownBy(() -> Creating.make(this::prepare, steps, (granted, ring) -> ring))
                .isSameAs(refusal);
        assertThat(log).containsExactly("prepare", "create", "finish 5", "destroy 5", "abandon true");
    }

    @Test
    void whatTheKernelKeepsIsNotUsedAgain() {
        finishFails = true;
        destroyFails = true;
        assertThatThrownBy(() -> Creating.make(this::prepare, steps, (granted, ring) -> ring))
                .isSameAs(refusal)
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));
        assertThat(log).containsExactly("prepare", "create", "finish 5", "destroy 5", "abandon false");
    }

    @Test
    void aFinishedRingIsRetired() {
        assertThatThrownBy(() -> Creating.make(this::prepare, steps, (granted, ring) -> {
                    throw refusal;
                }))
                .isSameAs(refusal);
        assertThat(log).containsExactly("prepare", "create", "finish 5", "destroy 5", "retire ring true");
    }

    @Test
    void aFinishedRingOfAnObjectThatStaysIsRetired() {
        destroyFails = true;
        assertThatThrownBy(() -> Creating.make(this::prepare, steps, (granted, ring) -> {
                    throw refusal;
                }))
                .isSameAs(refusal);
        assertThat(log).containsExactly("prepare", "create", "finish 5", "destroy 5", "retire ring false");
    }
}
