/* SPDX-License-Identifier: GPL-2.0 */
/*
 * InfiniBand in software: what rdma_rxe calls, and what softib.c and
 * softib_mad.c share. Part of the testbed of rdma4j.
 */
#ifndef SOFTIB_H
#define SOFTIB_H

#include <linux/netdevice.h>
#include <rdma/ib_smi.h>

/* the network type of an address vector, beside RXE_NETWORK_TYPE_IPV4 and _IPV6 */
#define SOFTIB_NETWORK_TYPE	3

#define SOFTIB_PORTS		2	/* at most */
#define SOFTIB_GUIDS		8
#define SOFTIB_PKEYS		32
#define SOFTIB_LIDS		0xc000	/* the first one of multicast */
#define SOFTIB_PERMISSIVE	0xffff

struct softib_lrh {
	u8			vl_version;
	u8			sl_next;
	__be16			dlid;
	__be16			words;
	__be16			slid;
} __packed;

enum softib_counter {
	SOFTIB_XMIT_WORDS,
	SOFTIB_RCV_WORDS,
	SOFTIB_XMIT_PACKETS,
	SOFTIB_RCV_PACKETS,
	SOFTIB_XMIT_MULTICAST,
	SOFTIB_RCV_MULTICAST,
	SOFTIB_RCV_ERRORS,
	SOFTIB_RCV_CONSTRAINT_ERRORS,
	SOFTIB_XMIT_DISCARDS,
	SOFTIB_VL15_DROPPED,
	SOFTIB_LINK_DOWNED,
	SOFTIB_COUNTERS
};

enum softib_trap_kind {
	SOFTIB_TRAP_CHANGE,		/* 144 */
	SOFTIB_TRAP_MKEY,		/* 256 */
	SOFTIB_TRAP_PKEY,		/* 257 */
	SOFTIB_TRAP_QKEY,		/* 258 */
	SOFTIB_TRAPS
};

struct softib_trap {
	struct ib_mad_notice_attr	notice;
	__be64				tid;
	u8				left;	/* how often it is still sent; 0: none */
};

/* A port. */
struct softib {
	struct rxe_dev		*rxe;
	struct rxe_port		*port;
	u8			number;
	struct net_device	*ndev;
	netdevice_tracker	tracker;
	struct packet_type	packets;
	struct packet_type	hellos;
	struct delayed_work	beat;
	bool			ended;
	atomic64_t		counters[SOFTIB_COUNTERS];
	atomic_t		psn;

	spinlock_t		lock;	/* guards what follows, and port->attr */

	/* the link */
	u8			partner[ETH_ALEN];
	bool			partner_is_switch;
	bool			paired;	/* a partner is known */
	bool			linked;	/* the partner knows this port, too */
	bool			disabled;
	u8			silent;	/* periods without a hello of the partner */
	unsigned long		counted;	/* when the last of them began */

	/* subnet management */
	__be64			guids[SOFTIB_GUIDS];
	u16			pkeys[SOFTIB_PKEYS];
	__be64			mkey;
	u16			mkey_lease;
	u16			mkey_violations;
	u8			mkey_protect;
	unsigned long		mkey_deadline;	/* 0: no lease runs out */
	u8			neighbor_mtu;
	u8			operational_vls;
	u8			high_limit;
	u8			widths;
	u8			speeds;
	u8			down_default;
	u8			sl2vl[8];
	u8			arbitration[4][IB_SMP_DATA_SIZE];
	struct softib_trap	traps[SOFTIB_TRAPS];
	u64			trap_tid;
};

/* What an adapter has beside the device of rxe. */
struct softib_adapter {
	struct device		*parent;	/* of the adapter and its IPoIB, as a PCI card is */
	__be64			node_guid;
	bool			started;
	u8			count;
	struct rxe_port		second;		/* rxe has the first one */
	struct softib		ports[SOFTIB_PORTS];
};

/* A port by its number; the first one for a number that there is not. */
static inline struct softib *softib_of(struct rxe_dev *rxe, u32 number)
{
	u32 index = number - 1;

	return &rxe->ib->ports[index < rxe->ib->count ? index : 0];
}

static inline struct rxe_port *softib_port(struct rxe_dev *rxe, u32 number)
{
	return rxe->ib ? softib_of(rxe, number)->port : &rxe->port;
}

/* softib.c, called by rdma_rxe */
void softib_register(void);
void softib_unregister(void);
int softib_init(struct rxe_dev *rxe);
void softib_cleanup(struct rxe_dev *rxe);
int softib_notify(struct rxe_dev *rxe, struct net_device *ndev, unsigned long event);
void softib_qp_gone(struct rxe_qp *qp);

void softib_init_av(struct rdma_ah_attr *attr, struct rxe_av *av);
int softib_check_av(struct rxe_dev *rxe, struct rdma_ah_attr *attr);
void softib_av_to_attr(struct rxe_av *av, struct rdma_ah_attr *attr);

struct sk_buff *softib_init_packet(struct rxe_dev *rxe, int length,
				   struct rxe_pkt_info *pkt);
int softib_prepare(struct rxe_av *av, struct rxe_pkt_info *pkt,
		   struct sk_buff *skb);
int softib_xmit(struct sk_buff *skb, struct rxe_pkt_info *pkt);
__be32 softib_icrc_headers(struct sk_buff *skb, struct rxe_pkt_info *pkt);

int softib_check_addr(struct rxe_pkt_info *pkt, struct rxe_qp *qp);
int softib_check_keys(struct rxe_dev *rxe, struct rxe_pkt_info *pkt,
		      struct rxe_qp *qp);
void softib_copy_grh(struct sk_buff *skb, union rdma_network_hdr *header);
void softib_complete(struct rxe_qp *qp, struct rxe_pkt_info *pkt,
		     struct rxe_cqe *cqe);

/* the functions of the pools of rxe, at any time; none of them sleeps */
static inline int softib_xa_alloc_cyclic(struct xarray *xa, u32 *id, void *entry,
					 struct xa_limit limit, u32 *next, gfp_t gfp)
{
	unsigned long flags;
	int err;

	local_irq_save(flags);
	err = xa_alloc_cyclic(xa, id, entry, limit, next, GFP_ATOMIC);
	local_irq_restore(flags);
	return err;
}

static inline void *softib_xa_erase(struct xarray *xa, unsigned long index)
{
	unsigned long flags;
	void *entry;

	local_irq_save(flags);
	entry = xa_erase(xa, index);
	local_irq_restore(flags);
	return entry;
}

static inline void *softib_xa_store(struct xarray *xa, unsigned long index, void *entry,
				    gfp_t gfp)
{
	unsigned long flags;
	void *before;

	local_irq_save(flags);
	before = xa_store(xa, index, entry, GFP_ATOMIC);
	local_irq_restore(flags);
	return before;
}

/* between the two files */
void softib_count(struct softib *sib, enum softib_counter counter, u64 by);
void softib_dispatch(struct softib *sib, unsigned long events);
void softib_send_smp(struct softib *sib, const struct ib_smp *smp);
void softib_retrain(struct softib *sib);
unsigned long softib_link_down(struct softib *sib);
void softib_wake(struct softib *sib);

int softib_process_mad(struct ib_device *ibdev, int mad_flags, u32 port_num,
		       const struct ib_wc *in_wc, const struct ib_grh *in_grh,
		       const struct ib_mad *in, struct ib_mad *out,
		       size_t *out_mad_size, u16 *out_mad_pkey_index);
void softib_trap_key(struct softib *sib, enum softib_trap_kind kind, u32 key,
		     struct rxe_pkt_info *pkt, u32 qpn);
void softib_trap_change(struct softib *sib, bool description);
void softib_send_traps(struct softib *sib, bool again);

#endif /* SOFTIB_H */
