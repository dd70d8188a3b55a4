// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.libc.Syscalls;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class UnusedRangesTest {
    private static final int PAGE = 4096;
    private static final long BASE = 0x7f00_0000_0000L;

    private final List<Long> unmapped = new ArrayList<>();
    private int calls;
    private final UnusedRanges ranges = new UnusedRanges();

    private Syscalls kernel() {
        return (Syscalls)
                Proxy.newProxyInstance(Syscalls.class.getClassLoader(), new Class<?>[] {Syscalls.class}, this::call);
    }

    private Object call(Object proxy, Method method, Object[] arguments) {
        return switch (method.getName()) {
            case "munmap" -> {
                calls++;
                for (long page = 0; page < (long) arguments[1]; page += PAGE) {
                    unmapped.add((long) arguments[0] + page);
                }
                yield 0;
            }
            case "equals" -> proxy == arguments[0];
            default -> throw new AssertionError(method);
        };
    }

    @Test
    void neighboursGoInOneCall() {
        Syscalls kernel = kernel();
        for (int i = 0; i < UnusedRanges.MOST; i++) {
            assertThat(calls).isZero();
            int page = i % 2 == 0 ? i : UnusedRanges.MOST - i;
            ranges.add(kernel, BASE + (long) PAGE * page, PAGE);
        }
        assertThat(calls).isEqualTo(1);
        assertThat(unmapped).hasSize(UnusedRanges.MOST).doesNotHaveDuplicates();
    }

    @Test
    void muchMemoryGoesAtOnce() {
        ranges.add(kernel(), BASE, (int) UnusedRanges.MOST_BYTES);
        assertThat(calls).isEqualTo(1);
    }

    @Test
    void eachKernelGetsItsOwn() {
        ranges.add(kernel(), BASE, PAGE);
        ranges.add(kernel(), BASE + PAGE, PAGE);
        assertThat(unmapped).containsExactly(BASE);
    }

    /** The pages of any ranges in any order are unmapped once each, and no others. */
    @RepeatedTest(50)
    void unmapsEachPageOnce() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        List<long[]> added = new ArrayList<>();
        TreeSet<Long> pages = new TreeSet<>();
        long at = BASE;
        while (added.size() < 2 * UnusedRanges.MOST) {
            at += (long) PAGE * random.nextInt(3);
            int length = PAGE * (1 + random.nextInt(3));
            added.add(new long[] {at, length});
            for (long end = at + length; at < end; at += PAGE) {
                pages.add(at);
            }
        }
        Collections.shuffle(added, random);
        Syscalls kernel = kernel();
        for (long[] range : added) {
            ranges.add(kernel, range[0], (int) range[1]);
        }
        assertThat(unmapped).as("seed %d", seed).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(pages);
        assertThat(calls).isLessThan(added.size());
    }
}
