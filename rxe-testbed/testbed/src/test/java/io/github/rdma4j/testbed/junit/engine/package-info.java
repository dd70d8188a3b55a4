// SPDX-License-Identifier: Apache-2.0
/** Tests of the engine with JVMs on this machine in the place of guests. */
@NullMarked
package io.github.rdma4j.testbed.junit.engine;

import org.jspecify.annotations.NullMarked;
