// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.host;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** The threads of a process under test, which do not keep it. */
final class Threads {
    private static final long AGAIN_MILLIS = 200;

    private Threads() {}

    /** What a thread does until it is interrupted. */
    interface Work {
        void run() throws InterruptedException;
    }

    static void start(String name, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Makes something that listens. */
    interface Listening<L> {
        L listen() throws IOException, InterruptedException;
    }

    /** Serves the clients of a listener until that is over or fails, and closes it. */
    interface Serving<L> {
        void serve(L listener) throws IOException, InterruptedException;
    }

    /** Listens, and listens again whenever that has come to an end, as after the removal of a device. */
    static <L> void listen(String server, Listening<L> listening, Serving<L> serving)
            throws IOException, InterruptedException {
        L first = listening.listen();
        start(server + " listener", () -> {
            L listener = first;
            while (true) {
                try {
                    serving.serve(listener);
                } catch (IOException | OutOfMemoryError e) {
                    Log.say(server + ": listens anew: ", e);
                }
                listener = again(listening);
            }
        });
    }

    private static <L> L again(Listening<L> listening) throws InterruptedException {
        while (true) {
            try {
                return listening.listen();
            } catch (IOException | OutOfMemoryError notYet) {
                TimeUnit.MILLISECONDS.sleep(AGAIN_MILLIS);
            }
        }
    }
}
