// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.semantics.behaviour;

/** What is done to the kernel, step by step; each step says to the scene what came of it. */
@FunctionalInterface
interface Script {
    void play(Scene scene) throws Exception;
}
