// SPDX-License-Identifier: Apache-2.0
/** The host of the testbed: the programs it runs, its private directories, its signals, and messages to the user. */
@NullMarked
package io.github.rdma4j.testbed.host;

import org.jspecify.annotations.NullMarked;
