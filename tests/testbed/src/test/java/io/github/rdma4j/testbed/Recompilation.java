// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import java.io.InputStream;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;

/**
 * A program that {@link ProcessorsIT} runs in a guest: several threads call the same methods of ever new classes, so that
 * HotSpot keeps replacing the code of methods that are being executed.
 */
final class Recompilation {
    private static final int THREADS = 3;
    private static final int CALLS = 300;

    private Recompilation() {}

    /** The methods, small and many. */
    public static final class Work implements Callable<Long> {
        private long state;

        private static long shift(long x) {
            return x ^ (x >>> 7);
        }

        private static long add(long x) {
            return x * 31 + 7;
        }

        private static long reverse(long x) {
            return Long.reverseBytes(x) + add(x);
        }

        private static long mix(long x) {
            return shift(x) ^ reverse(x);
        }

        @Override
        public Long call() {
            for (int i = 0; i < 100; i++) {
                state += mix(state) ^ add(shift(state)) ^ reverse(i);
            }
            return state;
        }
    }

    private static final class Loader extends ClassLoader {
        private final byte[] content;

        Loader(byte[] content) {
            super(ClassLoader.getPlatformClassLoader());
            this.content = content;
        }

        Callable<?> work() throws ReflectiveOperationException {
            Class<?> type = defineClass(Work.class.getName(), content, 0, content.length);
            return (Callable<?>) type.getConstructor().newInstance();
        }
    }

    /** Runs for as many seconds as the first argument says. */
    public static void main(String[] arguments) throws Exception {
        byte[] content;
        try (InputStream in = Recompilation.class.getResourceAsStream("Recompilation$Work.class")) {
            content = in.readAllBytes();
        }
        long end = System.nanoTime() + Long.parseLong(arguments[0]) * 1_000_000_000L;
        int rounds = 0;
        while (System.nanoTime() < end) {
            callTogether(new Loader(content).work());
            rounds++;
        }
        System.out.println(rounds + " rounds");
    }

    private static void callTogether(Callable<?> work) throws InterruptedException {
        CyclicBarrier together = new CyclicBarrier(THREADS);
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            threads[i] = new Thread(() -> call(work, together));
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void call(Callable<?> work, CyclicBarrier together) {
        try {
            together.await();
            for (int i = 0; i < CALLS; i++) {
                work.call();
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
