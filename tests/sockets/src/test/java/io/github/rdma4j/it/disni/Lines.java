// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.disni;

import java.io.IOException;

/** Prints what calls do, a line for each. */
final class Lines {
    private Lines() {}

    /** A call, or several, with what they returned or changed. */
    interface Call {
        Object make() throws Exception;
    }

    /** A call that returns nothing. */
    interface Step {
        void make() throws Exception;
    }

    static void show(String name, Call call) {
        String result;
        try {
            result = String.valueOf(call.make());
        } catch (IOException e) {
            result = "IOException"; // or a class of it, which DiSNI's users do not know
        } catch (Exception e) {
            result = e.getClass().getSimpleName();
        }
        System.out.println(name + " -> " + result);
    }

    static void step(String name, Step step) {
        show(name, () -> {
            step.make();
            return "ok";
        });
    }

    /** The milliseconds that a call took are about those that were given to it. */
    static void waits(String name, int millis, Call call) {
        show(name, () -> {
            long start = System.nanoTime();
            Object result = call.make();
            long took = (System.nanoTime() - start) / 1_000_000;
            return result + (took >= millis - 5 ? " after the time" : " after " + took + " ms");
        });
    }
}
