// SPDX-License-Identifier: Apache-2.0
/** JMH benchmarks of what a program does often: polling, posting, encoding, a command of the connection manager. */
@NullMarked
package io.github.rdma4j.micro;

import org.jspecify.annotations.NullMarked;
