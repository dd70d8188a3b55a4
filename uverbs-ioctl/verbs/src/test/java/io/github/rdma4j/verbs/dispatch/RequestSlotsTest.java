// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.verbs.CountedPieces;
import io.github.rdma4j.internal.verbs.InnerVerbs;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.ModelKernel;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bookkeeping of a dispatcher, without a device. */
class RequestSlotsTest {
    private static final WorkCompletion.Handler HANDLER = completion -> {};

    private static final CountedPieces NO_MEMORY = InnerVerbs.door().pieces(new ReceiveWorkRequest(0));

    private final ModelKernel kernel = new ModelKernel();
    private final List<Long> posted = new ArrayList<>();
    private final SlotTable table = new SlotTable(8);
    private ProtectionDomain owner;
    private @Nullable RdmaException refusal;
    private @Nullable Error doorbell;
    private boolean full;

    /** A queue whose work requests are their numbers. */
    private final class Numbers extends RequestSlots<Long> {
        Numbers(int capacity, long tag) {
            super(capacity, tag, owner, WorkCompletionOpcode.RECV, 17);
        }

        @Override
        long wrId(Long request) {
            return request;
        }

        @Override
        CountedPieces pieces(Long request) {
            return NO_MEMORY;
        }

        @Override
        boolean put(Long request, long number) throws RdmaException {
            if (refusal != null) {
                throw refusal;
            }
            if (!full) {
                isPut();
                posted.add(number);
            }
            if (doorbell != null) {
                throw doorbell;
            }
            return !full;
        }
    }

    @BeforeEach
    void makeAnOwner() throws Exception {
        owner = kernel.open().allocatePd();
    }

    private Numbers add(int capacity) {
        table.reserve(capacity);
        return table.enter(tag -> new Numbers(capacity, tag));
    }

    private static WorkCompletion of(long number) {
        WorkCompletion completion = new WorkCompletion();
        InnerVerbs.door().setWrId(completion, number);
        return completion;
    }

    @Test
    void findsTheHandlerAndTheNumberOfTheProgram() throws Exception {
        Numbers first = add(2);
        Numbers second = add(2);
        assertThat(first.tryPost(-1L, HANDLER)).isTrue();
        assertThat(second.tryPost(Long.MAX_VALUE, HANDLER)).isTrue();
        WorkCompletion completion = of(posted.get(1));
        assertThat(table.find(completion.wrId())).isSameAs(second);
        assertThat(second.finish(completion)).isSameAs(HANDLER);
        assertThat(completion.wrId()).isEqualTo(Long.MAX_VALUE);
        assertThat(second.finish(of(posted.get(1)))).as("once only").isNull();
        assertThat(table.find(posted.get(0))).isSameAs(first);
    }

    @Test
    void findsNothingForNumbersOfOthers() {
        add(2);
        for (long number : new long[] {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 40}) {
            assertThat(table.find(number)).isNull();
        }
        long tag = 1L << RequestSlots.SLOT_BITS;
        assertThat(table.find(tag)).isNotNull();
        assertThat(Objects.requireNonNull(table.find(tag)).finish(of(tag | 0xff_ffff)))
                .isNull();
    }

    @Test
    void givesAnIndexToAnotherQueueAndTellsThemApart() throws Exception {
        Numbers first = add(8);
        first.tryPost(1L, HANDLER);
        assertThatThrownBy(() -> add(1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("room for 0 of its 8");
        table.remove(first);
        Numbers second = add(8);
        assertThat(table.find(posted.get(0))).isNull();
        second.tryPost(2L, HANDLER);
        assertThat(table.find(posted.get(1))).isSameAs(second);
    }

    @Test
    void hasNoRoomBeyondItsCapacity() throws Exception {
        Numbers slots = add(2);
        assertThat(slots.tryPost(1L, HANDLER)).isTrue();
        assertThat(slots.tryPost(2L, HANDLER)).isTrue();
        assertThat(slots.tryPost(3L, HANDLER)).isFalse();
        assertThat(slots.post(3L, HANDLER, Duration.ZERO)).isFalse();
        assertThat(slots.whenRoom(() -> {})).isFalse();
        assertThat(slots.nextRoomWaiter()).isNull();
        slots.finish(of(posted.get(0)));
        assertThat(slots.nextRoomWaiter()).isNotNull();
        assertThat(slots.tryPost(3L, HANDLER)).isTrue();
        assertThat(posted).as("the slot that was free").hasSize(3).last().isEqualTo(posted.get(0));
    }

    @Test
    void keepsTheSlotOfARequestThatTheKernelWasNotToldOf() throws Exception {
        Numbers slots = add(1);
        full = true;
        assertThat(slots.tryPost(1L, HANDLER)).isFalse();
        full = false;
        for (RdmaException refused : List.of(new RdmaException("refused"), new ErrnoException("check", new Errno(5)))) {
            refusal = refused;
            assertThatThrownBy(() -> slots.tryPost(1L, HANDLER)).isSameAs(refused);
        }
        refusal = null;
        doorbell = new StackOverflowError("doorbell");
        assertThatThrownBy(() -> slots.tryPost(1L, HANDLER)).isSameAs(doorbell);
        doorbell = null;
        assertThat(slots.tryPost(2L, HANDLER)).as("the request may be sent").isFalse();
    }

    @Test
    void flushesTheOldestFirst() throws Exception {
        Numbers slots = add(3);
        for (long number = 1; number <= 3; number++) {
            slots.tryPost(number, HANDLER);
        }
        slots.finish(of(posted.get(1)));
        slots.tryPost(4L, HANDLER);
        slots.end(true);
        List<Long> flushed = new ArrayList<>();
        WorkCompletion completion = new WorkCompletion();
        while (slots.flushNext(completion) != null) {
            assertThat(completion.status()).isEqualTo(WorkCompletionStatus.WR_FLUSH_ERR);
            assertThat(completion.isReceive()).isTrue();
            assertThat(completion.qpNumber()).isEqualTo(17);
            flushed.add(completion.wrId());
        }
        assertThat(flushed).containsExactly(1L, 3L, 4L);
        assertThatThrownBy(() -> slots.tryPost(5L, HANDLER)).hasMessageContaining("is closed");
    }

    /** A search for the oldest of all at each step took minutes. */
    @Test
    @Timeout(60)
    void flushesALongQueue() throws Exception {
        int requests = 1 << 18;
        SlotTable large = new SlotTable(requests);
        Numbers slots = large.enter(tag -> new Numbers(requests, tag));
        for (long number = 0; number < requests; number++) {
            slots.tryPost(number, HANDLER);
        }
        slots.end(true);
        WorkCompletion completion = new WorkCompletion();
        for (long number = 0; number < requests; number++) {
            assertThat(slots.flushNext(completion)).isNotNull();
            assertThat(completion.wrId()).isEqualTo(number);
        }
        assertThat(slots.flushNext(completion)).isNull();
    }

    @Test
    void aLimitOfCenturiesBeforeNowIsOver() throws Exception {
        Numbers slots = add(1);
        slots.tryPost(1L, HANDLER);
        assertThat(slots.post(2L, HANDLER, Duration.ofDays(-300 * 365))).isFalse();
    }

    @Test
    void pollsForLessTimeWhenPollingFindsNothing() {
        SpinBudget spin = new SpinBudget(8_000);
        assertThat(spin.isSpent(0)).isFalse();
        assertThat(spin.isSpent(7_999)).isFalse();
        assertThat(spin.isSpent(8_000)).isTrue();
        spin.slept(1_000_000);
        assertThat(spin.isSpent(0)).isFalse();
        assertThat(spin.isSpent(4_000)).isTrue();
        spin.slept(1_000_000);
        assertThat(spin.isSpent(0)).isFalse();
        assertThat(spin.isSpent(2_000)).as("2 microseconds are left").isTrue();
        spin.slept(1_000_000);
        spin.isSpent(0);
        assertThat(spin.isSpent(1_000)).isTrue();
        spin.slept(1_000_000);
        assertThat(spin.isSpent(0)).as("nothing is left").isTrue();
        spin.slept(7_000);
        assertThat(spin.isSpent(0)).as("a short sleep").isFalse();
        spin.worked();
        assertThat(spin.isSpent(100)).isFalse();
        assertThat(spin.isSpent(8_099)).isFalse();
        assertThat(spin.isSpent(8_100)).isTrue();
        assertThat(new SpinBudget(0).isSpent(5)).isTrue();
    }

    /** Whoever has reserved the room gives it back. */
    @Test
    void slotsThatAreTakenBackKeepTheirRoom() {
        table.reserve(3);
        Numbers entered = table.enter(tag -> new Numbers(2, tag));
        table.withdraw(entered);
        table.withdraw(entered);
        assertThat(table.room()).isEqualTo(5);
        assertThat(table.find(entered.tag())).isNull();
        table.unreserve(3);
        assertThat(table.room()).isEqualTo(8);
    }

    @Test
    void slotsThatCannotBeMadeTakeNoPlace() {
        long first = table.enter(tag -> new Numbers(2, tag)).tag();
        StackOverflowError full = new StackOverflowError("no slots");
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> table.enter(tag -> {
                        throw full;
                    }))
                    .isSameAs(full);
        }
        long second = table.enter(tag -> new Numbers(2, tag)).tag();
        assertThat((second >>> SlotTable.INDEX_SHIFT) - (first >>> SlotTable.INDEX_SHIFT))
                .isOne();
    }
}
