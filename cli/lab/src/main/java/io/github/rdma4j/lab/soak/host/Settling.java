// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.soak.host;

/** Work requests with a handler each, every one of which has to be called once. For one thread. */
final class Settling {
    private long posted;
    private long completed;

    /** One request. */
    final class Once {
        private final String what;
        private boolean done;

        private Once(String what) {
            this.what = what;
        }

        void refused() {
            posted--;
        }

        void completed(Violations violations) {
            if (done) {
                violations.add("pooled echo: " + what + " completed twice");
            }
            done = true;
            completed++;
        }
    }

    /** Before the request is posted. */
    Once begin(String what) {
        posted++;
        return new Once(what);
    }

    /** Nothing is in flight any more. */
    void require(Violations violations) {
        if (completed != posted) {
            violations.add("pooled echo: of " + posted + " requests " + completed + " have completed");
        }
    }
}
