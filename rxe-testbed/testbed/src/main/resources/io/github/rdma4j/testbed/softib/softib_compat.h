/* SPDX-License-Identifier: GPL-2.0 */
/*
 * InfiniBand in software: what kernels before Linux 7.2 lack or call by another
 * name. Part of the testbed of rdma4j.
 */
#ifndef SOFTIB_COMPAT_H
#define SOFTIB_COMPAT_H

#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
#include <asm/unaligned.h>
#define send_task			req.task
#define rxe_add(device, mtu, name, netdev) \
	((device)->ndev = (netdev), rxe_add(device, mtu, name))
#define ib_mark_name_assigned_by_user(dev) do { } while (0)
#else
#include <linux/unaligned.h>
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 2, 0)
/* rxe has none, or one of its own file */
#define rxe_wq				system_unbound_wq
#else
/* a driver may say itself what an event of its Ethernet means */
#define SOFTIB_REPORTS_EVENTS
#endif

#endif /* SOFTIB_COMPAT_H */
