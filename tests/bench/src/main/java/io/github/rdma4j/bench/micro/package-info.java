// SPDX-License-Identifier: Apache-2.0
/** JMH benchmarks of frequent operations: polling, posting, encoding, and a command of the connection manager. */
@NullMarked
package io.github.rdma4j.bench.micro;

import org.jspecify.annotations.NullMarked;
